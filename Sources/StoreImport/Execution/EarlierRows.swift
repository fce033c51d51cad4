import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// The rows of tables as they were when the import began, read from the pages of the store: a file that is imported again
/// is compared with them at a fraction of what SQLite's virtual machine takes for a row.
///
/// An import is one transaction. What it writes is in SQLite's memory, and in frames of the write-ahead log that no commit
/// follows: the file is as it was. The rows that it has changed since are noted, and left to SQLite one by one.
final class EarlierRows {
    /// A table as it was.
    private struct Table {
        let place: RecordTable
        let name: String
        let last: Int64
    }

    private let connection: Connection
    private let pages: PageReader
    private let tables: [Table]
    private let changed: ChangedRows
    /// Pages that were written before; nil if there is a log, for then they do not matter.
    private let writtenPages: Int?

    /// Begins to note what changes.
    ///
    /// nil for a store that cannot be read in this way: SQLite finds its rows.
    ///
    /// - Parameter names: the tables, with the last row ID of each.
    init?(
        _ names: [(name: String, last: Int64)], _ connection: Connection, _ limits: ImportLimits
    ) throws(SQLiteError) {
        let mode = try connection.value("PRAGMA main.journal_mode").string
        guard limits.notedRowGroups > 0, mode == "wal" || mode == "delete" || mode == "truncate" || mode == "persist",
            // Other texts are not stored as they are compared.
            try connection.value("PRAGMA main.encoding").string == "UTF-8",
            // What another thread reads must not move in memory, and the log would begin again when it is written.
            try connection.value("PRAGMA main.mmap_size").integer ?? 0 == 0, connection.logSize == 0,
            // Rows that go in these ways are not noted.
            try connection.value(
                "SELECT 1 FROM main.sqlite_schema WHERE sql LIKE '%REPLACE%' "
                    + "OR type = 'trigger' AND sql LIKE '%DELETE FROM%' LIMIT 1") == .null
        else { return nil }
        var tables: [Table] = []
        for table in names where table.last > 0 {
            // Nor may columns be computed, or rows have other IDs.
            guard let place = try RecordTable(table.name, in: "main", of: connection), place.keyName == "Z_PK" else {
                continue
            }
            tables.append(Table(place: place, name: table.name, last: table.last))
        }
        guard !tables.isEmpty else { return nil }
        self.tables = tables
        self.connection = connection
        pages = try PageReader(connection)
        writtenPages = mode == "wal" ? nil : connection.writtenPages
        changed = try connection.noteChanges(
            in: tables.map { ($0.name, $0.last) }, mostGroups: limits.notedRowGroups)
    }

    /// Which of the tables one is; nil for another one.
    func place(of table: String) -> Int? { tables.firstIndex { $0.name == table } }

    /// Rows of a table, which another thread may read; nil if a column has a default that older rows lack.
    func rows(_ table: Int, _ columns: [String], entities: [Int64]) -> TableRows? {
        TableRows(of: tables[table].place, columns: columns, having: ("Z_ENT", entities), in: pages)
    }

    /// Whether the file is as it was. A transaction without a log writes pages that it has no room for to the file itself;
    /// from then on SQLite finds all rows.
    var areThere: Bool { writtenPages == nil || writtenPages == connection.writtenPages }

    /// Whether a row may not be as it was.
    func isChanged(_ row: Int64, _ table: Int) -> Bool { changed.contains(row, ofTable: table) }
}
