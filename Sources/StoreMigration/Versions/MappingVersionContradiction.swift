/// A path in a mapping model that contradicts the source or destination version of the migration.
public struct MappingVersionContradiction: Equatable, Sendable, CustomStringConvertible {
    /// The side to which the path belongs: `source` or `destination`.
    public let side: String

    /// The model's path in the mapping model.
    public let path: String

    /// The name of the version in the migration.
    public let version: String

    /// Returns a remedy for the mapping model with this name.
    func sentence(of name: String) -> String {
        "\(name): \(self); name one that does, or give it these versions with \"ferry mapping convert --models PATH "
            + "--from VERSION --to VERSION\" if it is meant"
    }

    public var description: String {
        "the mapping model's \(side) is \(path), and the migration's is \(version)"
    }
}
