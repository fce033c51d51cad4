import SQLiteFileBuilder

/// A writer that appends links to their join table, and counts them.
final class LinkRows {
    private let owners: AssembledTable
    private let destinations: AssembledTable
    private let rows: JoinRows
    private let checkpoint: () throws -> Void
    /// The number of links by the entity number of the owner, if owners may be of several entities.
    private(set) var counts: [Int64: Int64] = [:]
    /// The number of links. A symmetric link may have two rows.
    var linkCount: Int64 = 0
    var count: Int64 { rows.count }

    /// - Parameter checkpoint: called once in a while.
    init(_ list: AssembledList, _ table: TableBuilder, checkpoint: @escaping () throws -> Void) {
        (owners, destinations) = (list.owner, list.destination)
        rows = JoinRows(list.place, table)
        self.checkpoint = checkpoint
    }

    /// A link between two objects, given by the arrivals that lead their groups, with its order keys in both lists.
    struct Link {
        var owner: Int64
        var destination: Int64
        var order: Int64 = 0
        var inverseOrder: Int64 = 0
    }

    /// Appends a row, and counts the link for the object that has it.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - namer: the object for which the link is counted; nil for the owner. If it is not the owner, the link is
    ///     counted with its other row.
    func append(_ link: Link, namedBy namer: Int64? = nil) throws {
        if (count + 1) % Int64(StoreAssembly.rowsBetweenCheckpoints) == 0 { try checkpoint() }
        if namer.map({ $0 == link.owner }) ?? true, let entity = owners.entity(of: link.owner) {
            counts[entity, default: 0] += 1
        }
        try rows.append(
            owners.rows.primaryKey(of: link.owner), destinations.rows.primaryKey(of: link.destination),
            order: link.order, inverseOrder: link.inverseOrder)
    }
}
