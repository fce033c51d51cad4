/// No version is known to be the one that a mapping model leads from, or to.
public struct MappingVersionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The side whose version is not known: `source` or `destination`.
    public let side: String

    /// The model's path that the mapping names; nil if it names none.
    public let path: String?

    /// Whether the mapping has version hashes, which then fit no version.
    public let hasHashes: Bool

    /// What is missing.
    var reason: String {
        hasHashes
            ? "the mapping model's hashes fit no version of the models"
            : path.map { "the mapping model names \($0), which is not among the models" }
                ?? "the mapping model does not say which version it is for"
    }

    public var description: String {
        let option = side == "source" ? "--from" : "--to"
        return "the \(side) version is not known: \(reason); name it with \(option) VERSION"
    }
}
