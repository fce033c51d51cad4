/// An index of a store.
public struct StoreIndex: Sendable, Hashable {
    /// A column that an index sorts by.
    public struct Column: Sendable, Hashable {
        /// The name of the column in the store.
        public let name: String
        /// Whether smaller values come first.
        public let isAscending: Bool
        /// Whether the statement has `COLLATE BINARY ASC`, as Core Data writes it for declared indexes.
        public let isExplicit: Bool

        /// Makes a column of an index.
        public init(name: String, isAscending: Bool = true, isExplicit: Bool = false) {
            self.name = name
            self.isAscending = isAscending
            self.isExplicit = isExplicit
        }
    }

    /// The name of the index in the store.
    public let name: String
    /// The name of the indexed table.
    public let table: String
    /// Whether no two rows may have the same values.
    public let isUnique: Bool
    /// The columns that the index sorts by, in order.
    public let columns: [Column]

    /// The condition of a partial index, as written after `WHERE`; nil for all rows.
    public let condition: String?

    /// Makes an index.
    public init(
        name: String, table: String, isUnique: Bool = false, columns: [Column], condition: String? = nil
    ) {
        self.condition = condition
        self.name = name
        self.table = table
        self.isUnique = isUnique
        self.columns = columns
    }
}
