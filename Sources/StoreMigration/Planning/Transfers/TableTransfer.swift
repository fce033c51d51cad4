import PersistentStores
import SQLiteAccess

/// How rows of one source table become rows of a destination table.
///
/// Where objects stay what they are, all entities of the table have one transfer. An entity mapping that makes new
/// objects has one of its own, and several of them may lead to one table.
struct TableTransfer: Sendable {
    let table: EntityTable

    /// The table in the source; nil if all entities of the table are new.
    let source: EntityTable?

    /// The entities whose rows go there: slot in the source, slot in the destination.
    let entities: [EntityPair]

    /// The columns that get values; the others stay NULL.
    let columns: [ColumnTransfer]

    /// The entity numbers of the rows that are taken.
    let takenNumbers: [Int]

    /// The entity numbers of the rows that are not taken, as far as they are the model's.
    var excludedNumbers: [Int] = []

    /// The entity numbers that change.
    var renumbered: [(old: Int, new: Int)] = []

    /// Whether a number in the destination is unused in the source's table: rows that have it would become objects.
    var mayReviveStrangers = false

    /// Order keys that have no counterpart in the source and are counted afterwards.
    var countedOrders: [CountedOrder] = []

    /// The entity mapping that makes new objects of the rows; nil if they stay what they are.
    var mapping: ResolvedEntityMapping?

    /// Which rows are taken, as a condition on `s`; nil for all that have one of the numbers.
    var condition: String?

    /// Who makes the objects, if it is not the mapping alone.
    var policy: PolicyStep?

    /// What of the rows is looked at as they are written; nil if there is nothing, or the source is asked before.
    var watched: WatchedValues?

    /// Why some values are evaluated in Swift; nil if none are.
    var swiftReason: String?

    /// An order column of a to-one key and the key column that it counts within.
    struct CountedOrder: Sendable {
        let column: String
        let key: String
        /// Whether some rows have an order key already: theirs stays, and the others follow.
        let hasSome: Bool
    }

    /// The rows as one selection.
    ///
    /// - Parameter source: the quoted name of the source table.
    func fill(from source: String) -> TableFill {
        var fill = TableFill(
            table: SQLiteIdentifier.bare(table.name), source: source,
            columns: columns.map { SQLiteIdentifier.bare($0.column.name) }, values: columns.map(\.expression),
            // Rows of an entity that does not belong to the table are not objects; the report counts them.
            condition: condition ?? "s.Z_ENT IN (\(takenNumbers.map(String.init).joined(separator: ", ")))",
            entityNumbers: condition == nil ? takenNumbers : nil,
            inlinedColumns: columns.indices.filter { columns[$0].needsFiles })
        fill.watched = watched
        return fill
    }

    /// How much the rows have to change on their way into a new table, and why.
    var tier: (tier: MigrationTier, reason: String) {
        if let policy { return (.policyTransfer, policy.policy.reason) }
        if columns.contains(where: \.needsFiles) {
            return (.rowTransfer, "external data become inline: their files must be read")
        }
        if let swiftReason { return (.rowTransfer, "evaluated in Swift: \(swiftReason)") }
        return (.sqlTransfer, "every value is a column, a constant or an SQL expression")
    }
}
