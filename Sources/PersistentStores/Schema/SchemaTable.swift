/// A table as an existing database has it.
public struct SchemaTable: Sendable, Hashable {
    public struct Column: Sendable, Hashable {
        public let name: String
        public let declaredType: String
        public let isPrimaryKey: Bool
    }

    public let name: String

    /// The CREATE statement.
    public let sql: String

    public let columns: [Column]

    public func hasColumn(_ name: String) -> Bool {
        columns.contains { $0.name == name }
    }

    public var isVirtual: Bool {
        sql.prefix(14).uppercased() == "CREATE VIRTUAL"
    }
}
