internal import DocumentReading
public import ManagedObjectModels

/// The hashes of all shipped versions, which are kept in a text file beside the sources.
public struct FrozenVersions: Sendable, Hashable {
    /// The path of the file; nil for hashes that are not in a file.
    public let path: String?

    /// The versions with their hashes, in the order of the file.
    public private(set) var versions: [FrozenVersion]

    /// The maximum size of a file in bytes.
    private static let maximumSize = 64 << 20

    private static let firstLine = "ferry freeze 1"

    /// Computes the current hashes of versions, in the order of the first appearances of their names.
    /// - Throws: `ModelError` if a version cannot be read.
    public init(_ versions: [ModelVersion]) throws(ModelError) {
        var frozen: [FrozenVersion] = []
        for version in versions {
            let isAlone = versions.filter { $0.name == version.name }.count == 1
            frozen.append(try FrozenVersion(version, name: isAlone ? version.name : version.description))
        }
        self.versions = frozen
        path = nil
    }

    /// Reads a file.
    /// - Throws: `DocumentErrors` with the line of the error.
    public init(path: String) throws {
        let text = try SourceText(path: path, maximumSize: Self.maximumSize)
        var parser = FrozenVersionParser(text)
        versions = try parser.versions(firstLine: Self.firstLine)
        self.path = path
    }

    /// The text of the file: a line for each version, entity and property.
    public var text: String {
        var lines = [
            "# Version hashes that were shipped. \"ferry lint --frozen\" fails if one changes.", Self.firstLine,
        ]
        for version in versions {
            lines.append("")
            lines.append("version \(version.name)")
            for entity in version.entities {
                lines.append("  entity \(entity.name) \(entity.hash.hex)")
                for (name, hash) in entity.properties.sorted(by: { $0.key < $1.key }) {
                    lines.append("    property \(name) \(hash.hex)")
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the names of versions whose hashes differ from those in `others`.
    public func changed(in others: FrozenVersions) -> [String] {
        others.versions.filter { other in versions.contains { $0.name == other.name && $0 != other } }.map(\.name)
    }

    /// Returns these versions together with the others; for names in both, those of the others.
    public func adding(_ others: FrozenVersions) -> FrozenVersions {
        var result = self
        for other in others.versions {
            if let place = result.versions.firstIndex(where: { $0.name == other.name }) {
                result.versions[place] = other
            } else {
                result.versions.append(other)
            }
        }
        return result
    }
}
