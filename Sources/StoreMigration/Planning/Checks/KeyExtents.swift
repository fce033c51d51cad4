import SQLiteAccess

/// Which keys some tables have, as far as it needs no look at each: every table is counted once.
struct KeyExtents {
    private let connection: Connection

    /// The lowest and the highest key of a table that has all keys in between; nil for any other.
    private var known: [String: ClosedRange<Int64>?] = [:]

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// The condition that a key is there, and no row of a table has it.
    ///
    /// - Parameters:
    ///   - key: SQL of the key.
    ///   - table: the table, in quotes.
    mutating func absence(of key: String, from table: String) throws(SQLiteError) -> String {
        if known[table] == nil { known[table] = .some(try extent(of: table)) }
        // Mostly all keys in between are there, and need not be looked up.
        if let keys = known[table] ?? nil { return "\(key) NOT BETWEEN \(keys.lowerBound) AND \(keys.upperBound)" }
        return "\(key) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(table) t WHERE t.Z_PK = \(key))"
    }

    private func extent(of table: String) throws(SQLiteError) -> ClosedRange<Int64>? {
        let row = try connection.rows("SELECT count(*), min(Z_PK), max(Z_PK) FROM \(table)").first ?? []
        guard row.count == 3, let count = row[0].integer, let least = row[1].integer, let most = row[2].integer,
            least <= most, most.subtractingReportingOverflow(least).partialValue == count - 1
        else { return nil }
        return least...most
    }
}
