/// What writes the rows of a new store.
public enum NewStoreWriter: String, Sendable, CaseIterable, Codable {
    /// The builder where it can, else SQLite.
    case auto
    /// B-trees written bottom-up into a file that no one else sees yet.
    case builder
    /// SQLite itself, statement by statement.
    case sqlite
}
