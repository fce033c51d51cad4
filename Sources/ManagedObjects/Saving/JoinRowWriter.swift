import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Writes the rows of join tables.
struct JoinRowWriter {
    /// A row of a join table.
    private struct Pair: Hashable {
        let owner: Int64
        let destination: Int64
    }

    private let connection: StoreConnection
    private let rows: SavedRows
    private let orders: OrderWriter

    init(_ connection: StoreConnection, _ rows: SavedRows, _ orders: OrderWriter) {
        self.connection = connection
        self.rows = rows
        self.orders = orders
    }

    /// Writes the changes of both sides of many-to-many relationships, each link once.
    func write(_ objects: [ManagedObject]) throws(SQLiteError) {
        var done: [String: (removed: Set<Pair>, added: Set<Pair>)] = [:]
        // Removals first: a link that is added again gets a new order key.
        for isAddition in [false, true] {
            for object in objects where !(isAddition && object.isDeleted) {
                guard let state = object.state else { continue }
                for (slot, links) in state.toManys.entries where links.isChanged {
                    let relationship = object.shape.toManys[slot].relationship
                    guard relationship.storage == .joinTable, relationship.isStored,
                        let join = connection.layout.joinTable(of: relationship.key)
                    else { continue }
                    let keys = isAddition ? links.added.keys : links.removed.sorted { $0.key < $1.key }
                    for key in keys {
                        let own = rows.key(of: object).key
                        let other = rows.key(key).key
                        let isOwner = relationship.key == join.relationship
                        let pair = Pair(owner: isOwner ? own : other, destination: isOwner ? other : own)
                        if isAddition {
                            guard done[join.name, default: ([], [])].added.insert(pair).inserted else { continue }
                            try insert(pair, join)
                        } else {
                            guard done[join.name, default: ([], [])].removed.insert(pair).inserted else { continue }
                            try delete(pair, join)
                        }
                    }
                }
            }
        }
    }

    private func insert(_ pair: Pair, _ join: JoinTable) throws(SQLiteError) {
        var columns = [join.ownerColumn, join.destinationColumn]
        var values: [SQLiteValue] = [.integer(pair.owner), .integer(pair.destination)]
        if let order = join.orderColumn {
            columns.append(order)
            let link = OrderWriter.Link(
                relationship: join.relationship, owner: pair.owner, destination: pair.destination)
            values.append(orders.order(link).map { .integer($0) } ?? .null)
        }
        if let order = join.inverseOrderColumn, !join.isSelfInverse {
            columns.append(order)
            let link = OrderWriter.Link(relationship: join.inverse, owner: pair.destination, destination: pair.owner)
            values.append(orders.order(link).map { .integer($0) } ?? .null)
        }
        let names = columns.map { SQLiteIdentifier.quoted($0) }.joined(separator: ", ")
        let marks = repeatElement("?", count: columns.count).joined(separator: ", ")
        let statement = try connection.statement(
            "INSERT OR IGNORE INTO main.\(SQLiteIdentifier.quoted(join.name)) (\(names)) VALUES (\(marks))")
        try statement.bind(values)
        try statement.run()
    }

    private func delete(_ pair: Pair, _ join: JoinTable) throws(SQLiteError) {
        let statement = try connection.statement(
            "DELETE FROM main.\(SQLiteIdentifier.quoted(join.name)) WHERE \(SQLiteIdentifier.quoted(join.ownerColumn)) "
                + "= ? AND \(SQLiteIdentifier.quoted(join.destinationColumn)) = ?")
        try statement.bind([.integer(pair.owner), .integer(pair.destination)])
        try statement.run()
    }
}
