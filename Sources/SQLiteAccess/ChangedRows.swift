internal import CSQLite

/// The rows of some tables that a connection has inserted, changed or removed, including by triggers, since recording
/// began.
///
/// They are recorded in groups of consecutive row IDs, so that memory is bounded: an unchanged row may be taken for a
/// changed one, but never the reverse. Rows that `REPLACE` removes because of a conflict, rows of a `DELETE` without a
/// condition, and rows after the initially last one are not recorded.
@safe
public final class ChangedRows {
    private struct Table {
        /// With the terminating zero, since SQLite compares it with the table name of each changed row.
        let name: [CChar]
        /// The highest row ID that is recorded.
        let last: Int64
        /// The number of rows in a group, as a power of two.
        let shift: Int64
        var groups: [UInt64]
        var isChanged = false
    }

    /// The maximum number of groups in a table.
    public static let mostGroups: Int64 = 1 << 20

    private var tables: [Table]

    init(_ tables: [(name: String, last: Int64)], mostGroups: Int64) {
        self.tables = tables.map { table in
            let last = max(0, table.last)
            var shift: Int64 = 0
            while last >> shift >= mostGroups { shift += 1 }
            return Table(
                name: Array(table.name.utf8CString), last: last, shift: shift,
                groups: [UInt64](repeating: 0, count: Int(last >> shift) / 64 + 1))
        }
    }

    /// Returns whether a row of the table at an index may have changed, or is not recorded.
    public func contains(_ row: Int64, ofTable table: Int) -> Bool {
        guard row >= 0, row <= tables[table].last else { return true }
        let group = Int(row >> tables[table].shift)
        return tables[table].groups[group >> 6] >> UInt64(group & 63) & 1 == 1
    }

    /// Returns how many of some consecutive rows may have changed, or are not recorded.
    public func count(in rows: ClosedRange<Int64>, ofTable table: Int) -> Int {
        if !tables[table].isChanged, rows.lowerBound >= 0, rows.upperBound <= tables[table].last { return 0 }
        return rows.reduce(0) { contains($1, ofTable: table) ? $0 + 1 : $0 }
    }

    fileprivate func note(_ row: Int64, of name: UnsafePointer<CChar>) {
        for index in tables.indices where unsafe sqlite3_stricmp(name, tables[index].name) == 0 {
            tables[index].isChanged = true
            guard row >= 0, row <= tables[index].last else { continue }
            let group = Int(row >> tables[index].shift)
            tables[index].groups[group >> 6] |= 1 << UInt64(group & 63)
        }
    }
}

@available(*, unavailable)
extension ChangedRows: Sendable {}

extension Connection {
    /// Begins to record the rows that the connection changes in tables of its main database, discarding earlier
    /// records.
    ///
    /// - Parameters:
    ///   - tables: the names of the tables, and the last row ID of each.
    ///   - mostGroups: the maximum number of groups of rows in a table.
    /// - Throws: `SQLiteError` if the connection is closed.
    public func noteChanges(
        in tables: [(name: String, last: Int64)], mostGroups: Int64 = ChangedRows.mostGroups
    ) throws(SQLiteError) -> ChangedRows {
        let rows = ChangedRows(tables, mostGroups: mostGroups)
        let handle = unsafe try open()
        unsafe sqlite3_update_hook(
            handle,
            { context, _, database, table, row in
                // Tables of the temporary database may have the same names.
                guard let context = unsafe context, let table = unsafe table, unsafe database?.pointee == 0x6d else {
                    return
                }
                unsafe Unmanaged<ChangedRows>.fromOpaque(context).takeUnretainedValue().note(row, of: table)
            }, Unmanaged.passUnretained(rows).toOpaque())
        changedRows = rows
        return rows
    }

    /// The size of the main database's write-ahead log in bytes; 0 if there is none.
    public var logSize: Int64 {
        guard let location = try? DatabaseLocation(path: path, mustExist: true) else { return 0 }
        return (try? SystemFile.size(of: location.writeAheadLog, for: path)) ?? 0
    }

    /// The number of pages that the connection has written to its files: if a transaction without a log has written
    /// none, the file is unchanged.
    public var writtenPages: Int {
        guard let open = unsafe handle else { return 0 }
        var (current, highest): (Int32, Int32) = (0, 0)
        unsafe sqlite3_db_status(open, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 0)
        return Int(current)
    }
}
