import ManagedObjectModels
import PersistentStores

/// How a destination join table is filled.
struct JoinTransfer: Sendable {
    let table: JoinTable

    /// The SELECTs of owner key, destination key, inverse's order key and order key; usually one, or none for a new
    /// relationship.
    let selections: [LinkSelection]

    /// The source table, if the transfer only renames the table and its columns.
    let renamedFrom: JoinTable?

    /// The origin of the order keys.
    var orders = Orders.copied

    enum Orders {
        /// The selections contain the order keys, or these are counted among the links of one selection.
        case copied
        /// The links are counted in the order of the selections' order keys. Links without an order key follow, in the
        /// order of their keys.
        case counted
        /// The order keys are places among the links of one source. The links are counted after policies have added
        /// others.
        case countedLater
    }
}

extension JoinTransfer {
    /// Returns a join table of the source whose rows are copied to a new one, with its columns in the order of the new
    /// table's columns; nil if only one of the two has order keys for some links, because copying cannot create them.
    ///
    /// - Parameters:
    ///   - join: the join table of the source.
    ///   - key: the relationship of the source.
    ///   - table: the new join table.
    ///   - isSwapped: whether the relationship becomes the inverse of the new table's `relationship`.
    static func source(
        _ join: JoinTable, of key: PropertyKey, for table: JoinTable, isSwapped: Bool = false
    ) -> JoinTable? {
        let (side, opposite) = (join.side(of: key), join.oppositeSide(of: key))
        let (order, inverseOrder) = isSwapped ? (opposite?.order, side.order) : (side.order, opposite?.order)
        guard (order == nil) == (table.orderColumn == nil), (inverseOrder == nil) == (table.inverseOrderColumn == nil)
        else { return nil }
        return JoinTable(
            name: join.name, relationship: table.relationship, inverse: table.inverse,
            ownerColumn: isSwapped ? side.destination : side.owner,
            destinationColumn: isSwapped ? side.owner : side.destination, orderColumn: order,
            inverseOrderColumn: inverseOrder)
    }
}

/// The links of a source relationship as SQL, for the rows of a destination join table.
struct LinkSelection: Sendable {
    /// `FROM` and everything after it; the first table is called `l`.
    let from: String
    let owner: String
    let destination: String
    /// The order key of the destination among the owner's destinations; nil to count it.
    let order: String?
    /// The order key of the owner among the destination's owners; nil to count it.
    let inverseOrder: String?
    /// The source relationship, for reports.
    let description: String
    /// Whether SQLite sorts the keys. Usually, it has an index in their order.
    let isSortedBySQLite: Bool
}
