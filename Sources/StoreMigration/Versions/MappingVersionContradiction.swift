/// A path in a mapping model that names another version than the one that it is to lead from, or to.
public struct MappingVersionContradiction: Equatable, Sendable, CustomStringConvertible {
    /// `source` or `destination`.
    public let side: String

    /// The model's path, as the mapping model has it.
    public let path: String

    /// The name of the version of the migration.
    public let version: String

    public var description: String {
        "the mapping model's \(side) is \(path), and the migration's is \(version)"
    }
}
