/// An index, trigger or view as an existing database has it.
public struct SchemaObject: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        case index, trigger, view
    }

    public let kind: Kind
    public let name: String

    /// The table that it belongs to.
    public let table: String

    /// The CREATE statement; nil for an automatic index.
    public let sql: String?
}
