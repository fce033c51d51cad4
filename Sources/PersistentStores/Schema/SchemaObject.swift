/// An index, trigger or view as an existing database has it.
public struct SchemaObject: Sendable, Hashable {
    /// What SQLite calls the object.
    public enum Kind: String, Sendable, Hashable {
        /// An index, a trigger, or a view.
        case index, trigger, view
    }

    /// What kind of object it is.
    public let kind: Kind
    /// The name of the object.
    public let name: String

    /// The table that it belongs to.
    public let table: String

    /// The CREATE statement; nil for an automatic index.
    public let sql: String?
}
