import SQLiteAccess

/// The order keys that all writers of a column share, and the objects that get theirs when all records are read.
extension ImportSession {
    /// The order keys in a column; the table gets an index by which an owner's are found.
    ///
    /// - Parameters: names in quotes.
    func orderKeys(table: String, order: String, key: String) throws(SQLiteError) -> OrderKeyAllocator {
        let column = "\(table).\(order)"
        if let known = orderKeys[column] { return known }
        try indexes.require([SQLiteIdentifier.unquoted(key)], of: SQLiteIdentifier.unquoted(table))
        let made = try OrderKeyAllocator(
            connection, table: table, order: order, key: key, limit: options.fixedLimits.orderedOwners)
        orderKeys[column] = made
        return made
    }

    /// The objects that come to owners by a to-one.
    ///
    /// - Parameters: names in quotes.
    func arrivals(
        of link: Int64, table: String, order: String, key: String
    ) throws(SQLiteError) -> OrderedArrivals {
        if let known = arrivals[link] { return known.arrivals }
        let made = try OrderedArrivals(
            of: link, table: table, key: key, order: order, connection: connection, schema: schema)
        arrivals[link] = (made, try orderKeys(table: table, order: order, key: key))
        return made
    }

    /// Gives the objects that have come to owners their places.
    func settleArrivals() throws {
        let taken = taken.flatMap { $0.isEmpty ? nil : $0.table }
        for (_, (arrivals, keys)) in arrivals.sorted(by: { $0.key < $1.key }) {
            try arrivals.settle(keys, without: taken)
        }
        for (arrivals, _) in arrivals.values { try arrivals.close() }
    }
}
