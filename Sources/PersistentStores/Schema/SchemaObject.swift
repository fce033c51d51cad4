/// An index, trigger or view of an existing database.
public struct SchemaObject: Sendable, Hashable {
    /// The kind of an object, in SQLite's terms.
    public enum Kind: String, Sendable, Hashable {
        /// An index, a trigger, or a view.
        case index, trigger, view
    }

    /// The kind of the object.
    public let kind: Kind
    /// The name of the object.
    public let name: String

    /// The table that it belongs to.
    public let table: String

    /// The CREATE statement; nil for an automatic index.
    public let sql: String?
}
