import ManagedObjectModels
import PersistentStores

/// The result of a compilation, for users and scripts.
struct CompilationReport: Encodable {
    struct Version: Encodable {
        let name: String
        let path: String
        let isCurrent: Bool
        let entities: Int
        let bytes: Int
        let digest: String
        let checksum: String
    }

    let output: String
    let versions: [Version]

    /// The localization files that were copied.
    let localization: [String]

    init(_ compiled: CompiledModelBundle, output: String, localization: [LocalizationFile]) {
        self.output = output
        versions = compiled.versions.map { version in
            Version(
                name: version.name, path: version.path,
                isCurrent: version.name == compiled.currentVersionName || compiled.versions.count == 1,
                entities: version.hashes.count, bytes: version.bytes.count, digest: version.digest,
                checksum: version.checksum)
        }
        self.localization = localization.map(\.relativePath)
    }
}

extension CompilationReport: CustomStringConvertible {
    var description: String {
        var columns = TextColumns(rightAligned: [1, 2])
        columns.add("version", "entities", "bytes", "checksum")
        for version in versions {
            columns.add(
                version.name + (version.isCurrent ? ", current" : ""), String(version.entities), String(version.bytes),
                version.checksum)
        }
        var lines = ["Compiled \(output)"] + columns.lines()
        if !localization.isEmpty { lines.append("  with \(localization.joined(separator: ", "))") }
        return lines.joined(separator: "\n") + "\n"
    }
}
