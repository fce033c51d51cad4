import PersistentStores
import SQLiteAccess

/// The positions of objects in ordered relationships: the order keys that all writers of a column share, and the
/// objects that get their positions when all records are read.
final class OrderedPlaces {
    private let connection: Connection
    private let indexes: IndexKeeper
    private let schema: String
    /// The number of owners whose last order keys are kept in memory, for each column.
    private let limit: Int
    /// The order keys by table and column.
    private var keys: [String: OrderKeyAllocator] = [:]
    /// The objects that get their positions later, by the number of a to-one relationship whose inverse is ordered.
    private var byLink: [Int64: (arrivals: OrderedArrivals, keys: OrderKeyAllocator)] = [:]

    /// - Parameters:
    ///   - connection: the connection to the store.
    ///   - indexes: the keeper of the store's indexes.
    ///   - schema: the schema of the working tables, `temp` or `main`.
    ///   - limit: the number of owners whose last order keys are kept in memory, for each column.
    init(_ connection: Connection, indexes: IndexKeeper, schema: String, limit: Int) {
        self.connection = connection
        self.indexes = indexes
        self.schema = schema
        self.limit = limit
    }

    /// Whether no to-one relationship has an ordered inverse.
    var isEmpty: Bool { byLink.isEmpty }

    /// Returns the order keys in a column, and creates the index that finds the objects of an owner if it does not
    /// exist.
    ///
    /// - Parameters:
    ///   - table: the table, in quotes.
    ///   - order: the column of the order keys, in quotes.
    ///   - key: the column of the owner's primary key, in quotes.
    func keys(table: String, order: String, key: String) throws(SQLiteError) -> OrderKeyAllocator {
        let column = "\(table).\(order)"
        if let known = keys[column] { return known }
        try indexes.require([SQLiteIdentifier.unquoted(key)], of: SQLiteIdentifier.unquoted(table))
        let made = try OrderKeyAllocator(connection, table: table, order: order, key: key, limit: limit)
        keys[column] = made
        return made
    }

    /// Returns the objects that name their owner by a to-one relationship with an ordered inverse.
    ///
    /// - Parameters:
    ///   - link: the number of the relationship.
    ///   - table: the table of the objects, in quotes.
    ///   - order: the column of the order keys, in quotes.
    ///   - key: the column of the owner's primary key, in quotes.
    func arrivals(
        of link: Int64, table: String, order: String, key: String
    ) throws(SQLiteError) -> OrderedArrivals {
        if let known = byLink[link] { return known.arrivals }
        let made = try OrderedArrivals(
            of: link, table: table, key: key, order: order, connection: connection, schema: schema)
        byLink[link] = (made, try keys(table: table, order: order, key: key))
        return made
    }

    /// Returns the objects that name their owner by a to-one relationship; nil if its inverse is not ordered.
    func arrivals(of link: Int64) -> OrderedArrivals? { byLink[link]?.arrivals }

    /// Forgets the last order keys, because order keys in the store have been changed directly.
    func forgetAll() {
        for keys in keys.values { keys.forgetAll() }
    }

    /// Gives the objects that name their owner by a to-one relationship their positions.
    ///
    /// - Parameter taken: the revoked records, which do not count; nil if no record can be revoked.
    func settle(without taken: RevokedRecords?) throws(SQLiteError) {
        let table = taken.flatMap { $0.isEmpty ? nil : $0.table }
        for (_, (arrivals, keys)) in byLink.sorted(by: { $0.key < $1.key }) {
            try arrivals.settle(keys, without: table)
        }
        for (arrivals, _) in byLink.values { try arrivals.close() }
    }
}
