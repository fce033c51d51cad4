import SQLiteAccess

/// The order keys that all writers of a column share.
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
}
