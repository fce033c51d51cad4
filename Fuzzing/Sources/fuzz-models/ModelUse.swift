import FuzzDriving
import ManagedObjectModels
import ModelDiagrams
import ModelLinting
import SwiftDataModels

/// What is done with a model that could be read.
enum ModelUse {
    /// Hashes, the compiled form, the source form. What is compiled without a warning comes back.
    static func use(_ document: ModelDocument) throws {
        _ = document.warnings.map(\.description)
        if let resolved = try? ResolvedModel(document.model) {
            let hashes = ModelHashes.hashes(of: resolved)
            _ = (ModelHashes.digest(of: hashes), ModelHashes.checksum(of: hashes))
        }
        if let compiled = try? CompiledModelWriter(document.model, moduleName: "Module").compile() {
            let read = try? CompiledModelReader.read(bytes: compiled.bytes, name: "compiled").model
            let hasModuleClasses = document.model.entities.contains {
                $0.managedObjectClassName?.hasPrefix(".") == true
            }
            precondition(
                read?.compiledForm == document.model.compiledForm || !compiled.warnings.isEmpty || hasModuleClasses,
                "compiled and read, the model is another")
        }
        _ = try ModelContentsReader.read(bytes: Array(ModelContentsWriter(document).text().utf8), name: "again")
    }

    /// The versions of Swift sources, those of all their lists or of the classes that seeds have.
    static func swiftData(_ bytes: [UInt8]) throws {
        let path = FuzzDriver.write(bytes, as: "Models.swift")
        for classes in [[], ["A"], ["Trip", "Stop"]] {
            let selection = SwiftDataSelection(modelTypes: classes)
            guard let sources = try? SwiftDataSources(paths: [path], selection: selection) else { continue }
            _ = sources.fits([:])
            for version in sources.modelVersions.versions {
                guard let document = try? version.document() else { continue }
                try use(document)
                _ = try? SwiftDataWriter([(name: version.name, document: document)])
            }
        }
    }

    /// All rules, and the diagrams.
    static func lint(_ bytes: [UInt8]) throws {
        let version = ModelVersion(
            name: "Model", path: FuzzDriver.write(bytes, as: "contents"),
            document: try ModelContentsReader.read(bytes: bytes, name: "contents"))
        _ = ModelLinter.findings(in: version).map { "\($0)" }
        _ = try ModelLinter.findings(from: version, to: version)
        let diagram = EntityDiagram(of: try ResolvedModel(version.model()), title: "Model")
        _ = (try diagram.svg(), diagram.mermaid(), diagram.dot())
    }
}
