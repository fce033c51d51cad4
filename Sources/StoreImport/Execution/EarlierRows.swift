import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// The rows of tables as they were when the import began, read from the pages of the store. Comparing a file that is
/// imported again with them takes a fraction of the time that SQLite's virtual machine needs for each row.
///
/// An import is one transaction. What it writes is in SQLite's memory, and in frames of the write-ahead log that are
/// not followed by a commit, so that the file stays as it was. The rows that the import has changed are noted, and are
/// read by SQLite one by one.
final class EarlierRows {
    /// A table as it was when the import began.
    private struct Table {
        let place: RecordTable
        let name: String
        let last: Int64
    }

    private let connection: Connection
    private let pages: PageReader
    private let tables: [Table]
    private let changed: ChangedRows
    /// The number of pages that had been written to the file; nil if there is a write-ahead log, since then it does not
    /// matter.
    private let writtenPages: Int?

    /// Begins to note the rows that change.
    ///
    /// nil if the store cannot be read in this way, so that SQLite finds its rows.
    ///
    /// - Parameters:
    ///   - names: the tables, with the last row ID of each.
    ///   - connection: the connection to the store.
    ///   - limits: the limits of the import.
    init?(
        _ names: [(name: String, last: Int64)], _ connection: Connection, _ limits: ImportLimits
    ) throws(SQLiteError) {
        let mode = try connection.value("PRAGMA main.journal_mode").string
        guard limits.notedRowGroups > 0, mode == "wal" || mode == "delete" || mode == "truncate" || mode == "persist",
            // Texts in other encodings are not stored as they are compared.
            try connection.value("PRAGMA main.encoding").string == "UTF-8",
            // Pages that another thread reads must not move in memory, and a log that has contents would start from its
            // beginning when it is written.
            try connection.value("PRAGMA main.mmap_size").integer ?? 0 == 0, connection.logSize == 0,
            // Rows that are deleted in these ways are not noted.
            try connection.value(
                "SELECT 1 FROM main.sqlite_schema WHERE sql LIKE '%REPLACE%' "
                    + "OR type = 'trigger' AND sql LIKE '%DELETE FROM%' LIMIT 1") == .null
        else { return nil }
        var tables: [Table] = []
        for table in names where table.last > 0 {
            // Tables with computed columns or with other row IDs cannot be read in this way either.
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

    /// Returns the index of a table; nil if it is not one of the tables.
    func place(of table: String) -> Int? { tables.firstIndex { $0.name == table } }

    /// Returns the rows of a table, which another thread may read; nil if a column has a default that older rows lack.
    func rows(_ table: Int, _ columns: [String], entities: [Int64]) -> TableRows? {
        TableRows(of: tables[table].place, columns: columns, having: ("Z_ENT", entities), in: pages)
    }

    /// Whether the file is as it was. Without a write-ahead log, a transaction writes pages that do not fit into memory
    /// to the file itself. From then on, SQLite finds all rows.
    var areThere: Bool { writtenPages == nil || writtenPages == connection.writtenPages }

    /// Returns whether a row may have changed.
    func isChanged(_ row: Int64, _ table: Int) -> Bool { changed.contains(row, ofTable: table) }
}
