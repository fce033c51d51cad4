import Foundation
import ManagedObjectModels
import ModelLinting
import TestSupport

/// A folder with the versions of a small model, written as Xcode writes them: each element on a line of its own.
struct ModelFolder {
    let directory: TemporaryDirectory
    let bundle: String

    init(_ versions: [(name: String, entities: String)], header: String = "", in folder: String = "") throws {
        directory = try TemporaryDirectory()
        bundle = directory.file(folder + "M.xcdatamodeld")
        for version in versions { try write(version.entities, as: version.name, header: header) }
    }

    /// A model of one version.
    init(_ entities: String, header: String = "") throws {
        try self.init([("M", entities)], header: header)
    }

    /// - Parameter other: the name of another bundle beside this one; nil for this one.
    func write(_ entities: String, as version: String, header: String = "", in other: String? = nil) throws {
        let folder = (other.map(sibling) ?? bundle) + "/\(version).xcdatamodel"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \(header)>
            \(entities)
            </model>
            """
        try text.write(toFile: folder + "/contents", atomically: true, encoding: .utf8)
    }

    /// The path of a bundle in the same folder.
    private func sibling(_ name: String) -> String {
        URL(fileURLWithPath: bundle).deletingLastPathComponent().path + "/\(name).xcdatamodeld"
    }

    func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: sibling(name), toPath: sibling(other))
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: sibling(name)) }

    func versions() throws -> ModelVersions { try ModelVersions(path: bundle) }

    /// The findings in the version M, or in a named one.
    func findings(in version: String = "M", for target: LintTarget? = nil) throws -> [LintFinding] {
        ModelLinter.findings(in: try versions().version(version), for: target)
    }

    /// `FM123 Entity.property :line` of each finding; the entities begin on line 3.
    func listing(in version: String = "M") throws -> [String] {
        try findings(in: version).map { "\($0.code.rawValue) \($0.subject ?? "-") :\($0.line ?? 0)" }
    }
}
