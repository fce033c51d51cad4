import PersistentStores
import SQLiteAccess

/// How the rows of a source table become rows of a destination table.
///
/// If objects are kept, all entities of the table have one transfer. An entity mapping that creates new objects has its
/// own transfer, and several transfers may lead to one table.
struct TableTransfer: Sendable {
    let table: EntityTable

    /// The table in the source; nil if all entities of the table are new.
    let source: EntityTable?

    /// The entities whose rows are moved: slot in the source, slot in the destination.
    let entities: [EntityPair]

    /// The columns that get values; the others stay NULL.
    let columns: [ColumnTransfer]

    /// The entity numbers of the rows that are taken.
    let takenNumbers: [Int]

    /// The entity numbers of the model whose rows are not taken.
    var excludedNumbers: [Int] = []

    /// The entity numbers that change.
    var renumbered: [(old: Int, new: Int)] = []

    /// Whether a number of the destination is not used in the source's table, so that invalid rows with this number
    /// would become objects.
    var mayReviveStrangers = false

    /// Order keys that have no counterpart in the source and are counted afterwards.
    var countedOrders: [CountedOrder] = []

    /// The entity mapping that creates new objects from the rows; nil if objects are kept.
    var mapping: ResolvedEntityMapping?

    /// A condition on `s` for the rows that are taken; nil for all that have one of the numbers.
    var condition: String?

    /// The policy that creates the objects; nil if the mapping alone does.
    var policy: PolicyStep?

    /// The values that are examined as the rows are written; nil if there are none, or if the source is queried before.
    var watched: WatchedValues?

    /// The reason why some values are evaluated in Swift; nil if none are.
    var swiftReason: String?

    /// An order column of a to-one key, and the key column within which it counts.
    struct CountedOrder: Sendable {
        let column: String
        let key: String
        /// Whether some rows already have an order key, which they keep; the others follow them.
        let hasSome: Bool
    }

    /// Returns the rows as a single selection.
    ///
    /// - Parameter source: the quoted name of the source table.
    func fill(from source: String) -> TableFill {
        var fill = TableFill(
            table: SQLiteIdentifier.bare(table.name), source: source,
            columns: columns.map { SQLiteIdentifier.bare($0.column.name) }, values: columns.map(\.expression),
            // Rows whose entity number does not belong to the table are not objects; the report counts them.
            condition: condition ?? "s.Z_ENT IN (\(takenNumbers.map(String.init).joined(separator: ", ")))",
            entityNumbers: condition == nil ? takenNumbers : nil,
            inlinedColumns: columns.indices.filter { columns[$0].needsFiles })
        fill.watched = watched
        return fill
    }

    /// How much the rows must be changed on their way into a new table, and the reason.
    var tier: (tier: MigrationTier, reason: String) {
        if let policy { return (.policyTransfer, policy.policy.reason) }
        if columns.contains(where: \.needsFiles) {
            return (.rowTransfer, "external data become inline: their files must be read")
        }
        if let swiftReason { return (.rowTransfer, "evaluated in Swift: \(swiftReason)") }
        return (.sqlTransfer, "every value is a column, a constant or an SQL expression")
    }
}
