/// A path in a mapping model that names another version than the one that it is to lead from, or to.
public struct MappingVersionContradiction: Equatable, Sendable, CustomStringConvertible {
    /// The side that the path is of: `source` or `destination`.
    public let side: String

    /// The model's path, as the mapping model has it.
    public let path: String

    /// The name of the version of the migration.
    public let version: String

    /// What to do about the mapping model of this name.
    func sentence(of name: String) -> String {
        "\(name): \(self); name one that does, or give it these versions with \"ferry mapping convert --models PATH "
            + "--from VERSION --to VERSION\" if it is meant"
    }

    public var description: String {
        "the mapping model's \(side) is \(path), and the migration's is \(version)"
    }
}
