import PersistentStores

/// How one destination table is filled from its source table.
struct TableTransfer: Sendable {
    let table: EntityTable

    /// The table in the source; nil if all entities of the table are new.
    let source: EntityTable?

    /// The entities whose rows go there: slot in the source, slot in the destination.
    let entities: [EntityPair]

    let columns: [ColumnTransfer]

    /// The entity numbers of the rows that are taken.
    let takenNumbers: [Int]

    /// The entity numbers of the rows that are not taken, as far as they are the model's.
    let excludedNumbers: [Int]

    /// The entity numbers that change.
    let renumbered: [(old: Int, new: Int)]

    /// Whether a number in the destination is unused in the source's table: rows that have it would become objects.
    let mayReviveStrangers: Bool

    /// Order keys that have no counterpart in the source and are counted afterwards.
    let countedOrders: [CountedOrder]

    /// An order column of a to-one key and the key column that it counts within.
    struct CountedOrder: Sendable {
        let column: String
        let key: String
        /// Whether some rows have an order key already: theirs stays, and the others follow.
        let hasSome: Bool
    }
}
