internal import DocumentReading
public import ManagedObjectModels

/// The hashes of all versions that were shipped, as a text file beside the sources keeps them.
public struct FrozenVersions: Sendable, Hashable {
    /// The path of the file; nil for hashes that no file has yet.
    public let path: String?

    /// The versions with their hashes, in the order of the file.
    public private(set) var versions: [FrozenVersion]

    /// A file of frozen versions has at most this many bytes.
    private static let maximumSize = 64 << 20

    private static let firstLine = "ferry freeze 1"

    /// The hashes of versions as they are, in the order of their names' first appearance.
    /// - Throws: `ModelError` where one cannot be read.
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
    /// - Throws: `DocumentErrors` with the line that is wrong.
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

    /// The names of versions that are frozen here with other hashes than in `others`.
    public func changed(in others: FrozenVersions) -> [String] {
        others.versions.filter { other in versions.contains { $0.name == other.name && $0 != other } }.map(\.name)
    }

    /// These versions, and the others that are not among them; those of a name in both are the others'.
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
