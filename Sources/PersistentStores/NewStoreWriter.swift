/// The component that writes the rows of a new store.
public enum NewStoreWriter: String, Sendable, CaseIterable, Codable {
    /// The builder if it can write the store, otherwise SQLite.
    case auto
    /// A builder that writes B-trees bottom-up into a file that no other process uses yet.
    case builder
    /// SQLite itself, statement by statement.
    case sqlite
}
