/// A table of an existing database.
public struct SchemaTable: Sendable, Hashable {
    /// A column of a table.
    public struct Column: Sendable, Hashable {
        /// The name of the column.
        public let name: String
        /// The declared type; empty if there is none.
        public let declaredType: String
        /// Whether the column is part of the primary key.
        public let isPrimaryKey: Bool
    }

    /// The name of the table.
    public let name: String

    /// The CREATE statement.
    public let sql: String

    /// The columns in the order of the statement.
    public let columns: [Column]

    /// Returns whether the table has a column with exactly this name.
    public func hasColumn(_ name: String) -> Bool {
        columns.contains { $0.name == name }
    }

    /// Whether the table is virtual, provided by an SQLite module instead of the file.
    public var isVirtual: Bool {
        sql.prefix(14).uppercased() == "CREATE VIRTUAL"
    }

    /// Whether the table belongs to the mirroring of the store by NSPersistentCloudKitContainer.
    public var isCloudKitMirror: Bool {
        name.uppercased().hasPrefix("ANSCK")
    }
}
