import PersistentStores
import SQLiteAccess

/// The places of objects in ordered relationships: the order keys that all writers of a column share, and the objects that
/// get theirs when all records are read.
final class OrderedPlaces {
    private let connection: Connection
    private let indexes: IndexKeeper
    private let schema: String
    /// Owners whose last places are held in memory, for each column.
    private let limit: Int
    /// By table and column.
    private var keys: [String: OrderKeyAllocator] = [:]
    /// By the number of a to-one whose inverse is ordered.
    private var byLink: [Int64: (arrivals: OrderedArrivals, keys: OrderKeyAllocator)] = [:]

    /// - Parameters:
    ///   - schema: where notes are kept, `temp` or `main`.
    ///   - limit: owners whose last places are held in memory, for each column.
    init(_ connection: Connection, indexes: IndexKeeper, schema: String, limit: Int) {
        self.connection = connection
        self.indexes = indexes
        self.schema = schema
        self.limit = limit
    }

    /// Whether there are no to-ones with an ordered inverse.
    var isEmpty: Bool { byLink.isEmpty }

    /// The order keys in a column; the table gets an index by which an owner's are found.
    ///
    /// - Parameters: names in quotes.
    func keys(table: String, order: String, key: String) throws(SQLiteError) -> OrderKeyAllocator {
        let column = "\(table).\(order)"
        if let known = keys[column] { return known }
        try indexes.require([SQLiteIdentifier.unquoted(key)], of: SQLiteIdentifier.unquoted(table))
        let made = try OrderKeyAllocator(connection, table: table, order: order, key: key, limit: limit)
        keys[column] = made
        return made
    }

    /// The objects that come to owners by a to-one.
    ///
    /// - Parameters: names in quotes.
    func arrivals(
        of link: Int64, table: String, order: String, key: String
    ) throws(SQLiteError) -> OrderedArrivals {
        if let known = byLink[link] { return known.arrivals }
        let made = try OrderedArrivals(
            of: link, table: table, key: key, order: order, connection: connection, schema: schema)
        byLink[link] = (made, try keys(table: table, order: order, key: key))
        return made
    }

    /// The objects that come to owners by a to-one; nil if its inverse is not ordered.
    func arrivals(of link: Int64) -> OrderedArrivals? { byLink[link]?.arrivals }

    /// Forgets the last places, which others have changed.
    func forgetAll() {
        for keys in keys.values { keys.forgetAll() }
    }

    /// Gives the objects that have come to owners their places.
    ///
    /// - Parameter taken: records whose objects get none, since they were taken back.
    func settle(without taken: RevokedRecords?) throws(SQLiteError) {
        let table = taken.flatMap { $0.isEmpty ? nil : $0.table }
        for (_, (arrivals, keys)) in byLink.sorted(by: { $0.key < $1.key }) {
            try arrivals.settle(keys, without: table)
        }
        for (arrivals, _) in byLink.values { try arrivals.close() }
    }
}
