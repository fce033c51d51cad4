/// The source or destination version of a mapping model cannot be found.
public struct MappingVersionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The side whose version is not known: `source` or `destination`.
    public let side: String

    /// The model's path in the mapping model; nil if it has none.
    public let path: String?

    /// Whether the mapping model has version hashes, which do not match any version.
    public let hasHashes: Bool

    /// The reason, as a clause.
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
