/// A table as an existing database has it.
public struct SchemaTable: Sendable, Hashable {
    /// A column of a table.
    public struct Column: Sendable, Hashable {
        /// The name of the column.
        public let name: String
        /// The type as the statement declares it; empty if it declares none.
        public let declaredType: String
        /// Whether the column is part of the primary key.
        public let isPrimaryKey: Bool
    }

    /// The name of the table.
    public let name: String

    /// The statement that makes the table.
    public let sql: String

    /// The columns in the order of the statement.
    public let columns: [Column]

    /// Whether the table has a column of exactly that name.
    public func hasColumn(_ name: String) -> Bool {
        columns.contains { $0.name == name }
    }

    /// Whether a module of SQLite provides the table, rather than the file.
    public var isVirtual: Bool {
        sql.prefix(14).uppercased() == "CREATE VIRTUAL"
    }

    /// Whether the table is one of those in which NSPersistentCloudKitContainer mirrors the store.
    public var isCloudKitMirror: Bool {
        name.uppercased().hasPrefix("ANSCK")
    }
}
