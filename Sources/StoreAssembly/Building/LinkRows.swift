import SQLiteFileBuilder

/// Appends links to their join table, and counts them.
final class LinkRows {
    private let list: AssembledList
    private let table: TableBuilder
    private let checkpoint: () throws -> Void
    /// What each column of a row gets.
    private let cells: [Cell]
    private(set) var count: Int64 = 0
    /// Rows by the entity number of the owner, where owners may be of several entities.
    private(set) var counts: [Int64: Int64] = [:]
    /// The links, of which each may be two rows.
    var linkCount: Int64 = 0
    /// Whether a row has the two keys and nothing else, the owner's first or last.
    private let isPair: Bool
    private let isOwnerFirst: Bool

    private enum Cell {
        case owner, destination, order, inverseOrder, null
    }

    /// The first of an owner's order keys, and what the next one exceeds it by
    /// (docs/format/sqlite-store.md#order-keys).
    static let firstOrder: Int64 = 2048
    static let orderStep: Int64 = 1024

    /// - Parameter checkpoint: called once in a while.
    init(_ list: AssembledList, _ table: TableBuilder, checkpoint: @escaping () throws -> Void) {
        self.list = list
        self.table = table
        self.checkpoint = checkpoint
        let place = list.place
        cells = table.definition.columns.map { column in
            switch column.name {
            case place.owner: .owner
            case place.destination: .destination
            case place.orders.ofDestinations: .order
            case place.orders.ofOwners: .inverseOrder
            default: .null
            }
        }
        isPair = cells == [.owner, .destination] || cells == [.destination, .owner]
        isOwnerFirst = cells.first == .owner
    }

    /// A link between the rows that lead their objects, with the places that it has in both.
    struct Link {
        var owner: Int64
        var destination: Int64
        var order: Int64 = 0
        var inverseOrder: Int64 = 0
    }

    func append(_ link: Link) throws {
        count += 1
        if count % Int64(StoreAssembly.rowsBetweenCheckpoints) == 0 { try checkpoint() }
        if let entity = list.owner.entity(of: link.owner) { counts[entity, default: 0] += 1 }
        if isPair {
            let owner = list.owner.rows.primaryKey(of: link.owner)
            let destination = list.destination.rows.primaryKey(of: link.destination)
            return try table.append(
                count, isOwnerFirst ? owner : destination, isOwnerFirst ? destination : owner)
        }
        table.beginRow()
        for cell in cells {
            switch cell {
            case .owner: table.append(list.owner.rows.primaryKey(of: link.owner))
            case .destination: table.append(list.destination.rows.primaryKey(of: link.destination))
            case .order: table.append(link.order)
            case .inverseOrder: table.append(link.inverseOrder)
            case .null: table.appendNull()
            }
        }
        try table.endRow(count)
    }
}
