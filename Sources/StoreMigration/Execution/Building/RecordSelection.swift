import SQLiteAccess
import SQLiteFileBuilder

/// Reads the rows of a fill from the pages of the source, without SQLite: what is only copied goes from record to record
/// as bytes.
///
/// Belongs to one thread at a time.
final class RecordSelection {
    private var records: TableRecords
    private var values: RecordValues
    private let columns: [RecordColumn]
    /// The position of the column with the entity's number, and the numbers that are taken.
    private let entity: Int
    private let taken: SmallNumbers
    /// What is added to the key of every row.
    private let offset: Int64
    private var last = Int64.min

    /// nil if SQLite has to select the rows: they need expressions, or lie in a log, or in texts of another encoding.
    ///
    /// The connection begins a transaction, which must last as long as rows are read.
    init?(_ fill: TableFill, on connection: Connection, into table: TableDefinition) throws {
        let prefix = "source."
        guard let numbers = fill.entityNumbers, fill.inlinedColumns.isEmpty, fill.source.hasPrefix(prefix),
            let taken = SmallNumbers(
                Dictionary(numbers.map { (Int64($0), 1) }, uniquingKeysWith: { first, _ in first })),
            try connection.value("PRAGMA source.encoding").string == "UTF-8"
        else { return nil }
        if !connection.isInTransaction { try connection.execute("BEGIN") }
        let name = SQLiteIdentifier.unquoted(String(fill.source.dropFirst(prefix.count)))
        guard let source = try SourceTable(name, on: connection),
            let columns = source.columns(of: fill, into: table), let entity = source.position(of: "Z_ENT")
        else { return nil }
        let file = try connection.value("SELECT file FROM pragma_database_list WHERE name = 'source'").string
        let pages = try PageReader(connection, schema: "source", path: file)
        guard !pages.hasLog else { return nil }
        records = TableRecords(pages, root: source.root)
        values = RecordValues(columns: source.columnCount)
        (self.columns, self.entity, self.taken, offset) = (columns, entity, taken, source.keyOffset(of: fill))
    }

    /// Begins with the rows of a window.
    func begin(_ window: ClosedRange<Int64>) throws(SQLiteError) {
        last = window.upperBound
        try records.seek(to: window.lowerBound)
    }

    /// Adds the next row that is taken to a block.
    ///
    /// - Returns: false if the window has no more rows.
    func appendNext(to block: RowBlock, by encoder: RowEncoder) throws -> Bool {
        while let rowID = try records.next(), rowID <= last {
            let isTaken = try records.withRecord { bytes in
                guard values.read(bytes) else { throw records.damage() }
                guard let number = values.integer(entity, of: bytes), taken[number] != nil else { return false }
                let (key, overflow) = rowID.addingReportingOverflow(offset)
                guard !overflow else { throw records.damage() }
                try encoder.append(values, of: bytes, rowID: key, columns: columns, to: block)
                return true
            }
            if isTaken { return true }
        }
        return false
    }
}

/// What must be known of a table of the source to read its records.
private struct SourceTable {
    private struct Column {
        let name: String
        let affinity: ColumnAffinity
        let hasDefault: Bool
    }

    let root: UInt32
    private let columns: [Column]
    private let key: Int

    var columnCount: Int { columns.count }

    /// nil if the table is not one whose row IDs are its keys, or has columns that are computed.
    init?(_ name: String, on connection: Connection) throws(SQLiteError) {
        let found = try connection.rows(
            "SELECT rootpage FROM source.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE",
            [.string(name)])
        let rows = try connection.rows("PRAGMA source.table_xinfo(\(SQLiteIdentifier.quoted(name)))")
        let keys = rows.indices.filter { rows[$0][5].integer ?? 0 > 0 }
        guard let page = found.first?[0].integer, page > 0, keys.count == 1,
            (rows[keys[0]][2].string ?? "").uppercased() == "INTEGER",
            rows.allSatisfy({ $0[6].integer == 0 })
        else { return nil }
        root = UInt32(clamping: page)
        key = keys[0]
        columns = rows.map { row in
            Column(
                name: (row[1].string ?? "").uppercased(), affinity: ColumnAffinity(declaredType: row[2].string ?? ""),
                hasDefault: row[4] != .null)
        }
    }

    func position(of name: String) -> Int? {
        columns.firstIndex { $0.name == name.uppercased() }
    }

    /// Where the values of a fill's columns are; nil if one of them is not simply copied.
    func columns(of fill: TableFill, into table: TableDefinition) -> [RecordColumn]? {
        var result = table.columns.map { _ in RecordColumn.null }
        for (name, value) in zip(fill.columns, fill.values) {
            let plain = SQLiteIdentifier.unquoted(name).uppercased()
            guard let place = table.columns.firstIndex(where: { $0.name.uppercased() == plain }) else { return nil }
            switch value {
            case .key: result[place] = .rowID
            case .constant(let constant): result[place] = .constant(constant)
            case .column(let source):
                guard let position = position(of: source) else { return nil }
                if position == key {
                    // The row ID of the new row: the same as that of the old one, plus what is added to all.
                    guard place == table.rowIDColumn else { return nil }
                    result[place] = .rowID
                } else {
                    // A record that was written before the column was added has its default.
                    guard !columns[position].hasDefault else { return nil }
                    result[place] = .value(position, columns[position].affinity)
                }
            case .replaced(let source, let numbers):
                guard let position = position(of: source), position != key, let small = SmallNumbers(numbers) else {
                    return nil
                }
                result[place] = .replaced(position, small)
            case .row, .lookup, .inlined: return nil
            }
        }
        return result
    }

    func keyOffset(of fill: TableFill) -> Int64 {
        for value in fill.values {
            if case .key(let offset) = value { return offset }
        }
        return 0
    }
}
