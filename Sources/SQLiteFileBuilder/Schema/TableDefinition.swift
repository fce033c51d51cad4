public import SQLiteAccess

/// The facts about a table that the builder needs.
public struct TableDefinition: Sendable {
    /// A column of a table.
    public struct Column: Sendable {
        /// The column's name.
        public let name: String
        /// The type to which SQLite converts values before it stores them.
        public let affinity: ColumnAffinity
        /// Whether the column is declared `NOT NULL`.
        public let isNotNull: Bool
    }

    /// The table's name.
    public let name: String
    /// The columns in the order of their definition.
    public let columns: [Column]
    /// The position of the INTEGER PRIMARY KEY column, which is an alias of the row ID and stored as NULL; nil if the
    /// table has no such column.
    public let rowIDColumn: Int?
    /// The indexes of the table, including automatic ones.
    public let indexes: [IndexDefinition]
    /// The encoding of the texts in the table's records.
    public let encoding: DatabaseFile.TextEncoding
}

/// The facts about an index that the builder needs.
public struct IndexDefinition: Sendable {
    /// One of the columns by which an index sorts.
    public struct Column: Sendable {
        /// The column's position in the table; nil for the row ID.
        public let position: Int?
        /// Whether larger values come first.
        public let isDescending: Bool
    }

    /// The index's name.
    public let name: String
    /// The columns by which the index sorts, in order.
    public let columns: [Column]
    /// Whether two rows must not have the same values, unless one of them is NULL.
    public let isUnique: Bool
}
