import SQLiteFileBuilder

/// Appends links to their join table, and counts them.
final class LinkRows {
    private let list: AssembledList
    private let rows: JoinRows
    private let checkpoint: () throws -> Void
    /// Rows by the entity number of the owner, where owners may be of several entities.
    private(set) var counts: [Int64: Int64] = [:]
    /// The links, of which each may be two rows.
    var linkCount: Int64 = 0
    var count: Int64 { rows.count }

    /// - Parameter checkpoint: called once in a while.
    init(_ list: AssembledList, _ table: TableBuilder, checkpoint: @escaping () throws -> Void) {
        self.list = list
        rows = JoinRows(list.place, table)
        self.checkpoint = checkpoint
    }

    /// A link between the rows that lead their objects, with the places that it has in both.
    struct Link {
        var owner: Int64
        var destination: Int64
        var order: Int64 = 0
        var inverseOrder: Int64 = 0
    }

    /// Appends a row, and counts the link for the object that has it.
    ///
    /// - Parameter namer: the object whose list the link is counted for, which may have another row of it; nil for the owner.
    func append(_ link: Link, namedBy namer: Int64? = nil) throws {
        if (count + 1) % Int64(StoreAssembly.rowsBetweenCheckpoints) == 0 { try checkpoint() }
        if namer.map({ $0 == link.owner }) ?? true, let entity = list.owner.entity(of: link.owner) {
            counts[entity, default: 0] += 1
        }
        try rows.append(
            list.owner.rows.primaryKey(of: link.owner), list.destination.rows.primaryKey(of: link.destination),
            order: link.order, inverseOrder: link.inverseOrder)
    }
}
