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

    func write(_ entities: String, as version: String, header: String = "") throws {
        let folder = bundle + "/\(version).xcdatamodel"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \(header)>
            \(entities)
            </model>
            """
        try text.write(toFile: folder + "/contents", atomically: true, encoding: .utf8)
    }

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
