import SQLiteAccess

/// The keys that exist in tables, as far as they can be determined by counting each table once.
struct KeyExtents {
    private let connection: Connection

    /// The lowest and the highest key of each table that has all keys in between; nil for other tables.
    private var known: [String: ClosedRange<Int64>?] = [:]

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// Returns the condition that a key is not NULL but a table has no row with it.
    ///
    /// - Parameters:
    ///   - key: SQL for the key.
    ///   - table: the quoted name of the table.
    mutating func absence(of key: String, from table: String) throws(SQLiteError) -> String {
        if known[table] == nil { known[table] = .some(try extent(of: table)) }
        // Usually all keys in the range exist, and need not be looked up.
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
