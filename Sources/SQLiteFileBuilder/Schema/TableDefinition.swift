/// What the builder must know of a table.
public struct TableDefinition: Sendable {
    /// A column of a table.
    public struct Column: Sendable {
        /// The column's name.
        public let name: String
        /// What SQLite makes of values before it stores them.
        public let affinity: ColumnAffinity
        /// Whether the column is declared `NOT NULL`.
        public let isNotNull: Bool
    }

    /// The table's name.
    public let name: String
    /// The columns in the order of their definition.
    public let columns: [Column]
    /// The position of the column that stands for the row id, INTEGER PRIMARY KEY, stored as NULL; nil if none does.
    public let rowIDColumn: Int?
    /// The indexes of the table, automatic ones included.
    public let indexes: [IndexDefinition]
}

/// What the builder must know of an index.
public struct IndexDefinition: Sendable {
    /// One of the columns by which an index sorts.
    public struct Column: Sendable {
        /// The column's position in the table; nil for the row id.
        public let position: Int?
        /// Whether larger values come first.
        public let isDescending: Bool
    }

    /// The index's name.
    public let name: String
    /// The columns by which it sorts, the first one first.
    public let columns: [Column]
    /// Whether no two rows may have the same values, NULL excepted.
    public let isUnique: Bool
}
