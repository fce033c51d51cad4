/// An index of a store.
public struct StoreIndex: Sendable, Hashable {
    public struct Column: Sendable, Hashable {
        public let name: String
        public let isAscending: Bool
        /// Whether the statement says `COLLATE BINARY ASC` as Core Data does for declared indexes.
        public let isExplicit: Bool

        public init(name: String, isAscending: Bool = true, isExplicit: Bool = false) {
            self.name = name
            self.isAscending = isAscending
            self.isExplicit = isExplicit
        }
    }

    public let name: String
    public let table: String
    public let isUnique: Bool
    public let columns: [Column]

    /// The condition of a partial index, as it stands behind `WHERE`; nil for all rows.
    public let condition: String?

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
