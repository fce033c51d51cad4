public import SQLiteAccess

/// The facts about a table that are needed to read its records without SQLite.
public struct RecordTable: Sendable {
    private struct Column {
        let name: String
        let affinity: ColumnAffinity
        let hasDefault: Bool
    }

    /// The root page of the table's b-tree.
    public let root: UInt32
    /// The encoding of the texts in its records.
    public let encoding: DatabaseFile.TextEncoding
    private let columns: [Column]
    /// The position of the column that is an alias of the row ID; nil if there is none.
    private let key: Int?

    /// Looks up a table in the schema of a database.
    ///
    /// - Parameters:
    ///   - name: the name of the table, without quotes; case does not matter.
    ///   - database: `main`, or the name of an attached database.
    ///   - connection: a connection to the database.
    /// - Throws: `SQLiteError` if the schema cannot be read.
    /// - Returns: nil if there is no such table, if it has no row IDs, or if a column is generated.
    public init?(_ name: String, in database: String, of connection: Connection) throws(SQLiteError) {
        let (table, database) = (SQLiteIdentifier.quoted(name), SQLiteIdentifier.quoted(database))
        let found = try connection.rows(
            "SELECT rootpage FROM \(database).sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE",
            [.string(name)])
        let rows = try connection.rows("PRAGMA \(database).table_xinfo(\(table))")
        let list = try connection.rows("PRAGMA \(database).table_list(\(table))")
        let (hasRowIDs, isStrict) = (list.allSatisfy { $0[4].integer == 0 }, list.contains { $0[5].integer != 0 })
        let keys = rows.indices.filter { rows[$0][5].integer ?? 0 > 0 }
        guard let page = found.first?[0].integer, page > 0, hasRowIDs, rows.allSatisfy({ $0[6].integer == 0 }) else {
            return nil
        }
        root = UInt32(clamping: page)
        encoding = try DatabaseFile.TextEncoding(of: connection)
        key = keys.count == 1 && (rows[keys[0]][2].string ?? "").uppercased() == "INTEGER" ? keys[0] : nil
        columns = rows.map { row in
            Column(
                name: (row[1].string ?? "").uppercased(),
                affinity: ColumnAffinity(declaredType: row[2].string ?? "", isStrict: isStrict),
                hasDefault: row[4] != .null)
        }
    }

    /// The number of columns of a complete record.
    public var columnCount: Int { columns.count }

    /// The name of the column that is an alias of the row ID, in capitals; `ROWID` if there is none.
    public var keyName: String { key.map { columns[$0].name } ?? "ROWID" }

    /// Returns the position in a record, from 0, of a column's value; nil if there is no such column.
    public func position(of name: String) -> Int? {
        let name = name.uppercased()
        return columns.firstIndex { $0.name == name }
    }

    /// Returns the position in a record and the affinity of a column that all records have.
    ///
    /// - Returns: nil if there is no such column, if it is an alias of the row ID, or if it has a default that records
    ///   lack if they were written before the column was added.
    public func value(_ name: String) -> (position: Int, affinity: ColumnAffinity)? {
        guard let position = position(of: name), position != key, !columns[position].hasDefault else { return nil }
        return (position, columns[position].affinity)
    }
}
