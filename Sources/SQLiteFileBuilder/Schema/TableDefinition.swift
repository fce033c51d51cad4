/// What the builder must know of a table.
public struct TableDefinition: Sendable {
    public struct Column: Sendable {
        public let name: String
        public let affinity: ColumnAffinity
        public let isNotNull: Bool
    }

    public let name: String
    public let columns: [Column]
    /// The position of the column that stands for the row id: INTEGER PRIMARY KEY, stored as NULL.
    public let rowIDColumn: Int?
    public let indexes: [IndexDefinition]
}

/// What the builder must know of an index.
public struct IndexDefinition: Sendable {
    public struct Column: Sendable {
        /// The column's position in the table; nil for the row id.
        public let position: Int?
        public let isDescending: Bool
    }

    public let name: String
    public let columns: [Column]
    public let isUnique: Bool
}
