import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// Encodes the rows of a fill for a table that is being built. The rows are read from the pages of the source if most
/// of their values are only copied. Otherwise SQLite selects them, and their bytes are encoded directly from its
/// memory.
struct TableCopy {
    private enum Rows {
        case records(RecordCopy)
        case selection(SelectionCopy)
    }

    private let rows: Rows
    private let limits: BatchLimits

    /// - Parameters:
    ///   - connection: a connection to which the source is attached.
    ///   - functions: the functions that the fill calls.
    ///   - watch: the flag that unexpected values set; nil if no values are examined.
    ///   - limits: the maximum size of a block.
    init(
        _ fill: TableFill, on connection: Connection, into table: TableBuilder, _ functions: [ValueFunction],
        _ watch: ValueWatch?, limits: BatchLimits, _ fixedLimits: MigrationLimits
    ) throws {
        self.limits = limits
        let columns = try CopiedColumns(fill, into: table.definition, watch)
        rows =
            try Self.records(columns, on: connection, into: table, functions, fixedLimits).map { .records($0) }
            ?? .selection(Self.selection(columns, on: connection, into: table))
    }

    /// Returns nil if SQLite has to select the rows, because most values need expressions, some pages are in a
    /// write-ahead log, or texts have another encoding than UTF-8.
    ///
    /// The connection begins a transaction, which must last as long as rows are read.
    private static func records(
        _ columns: CopiedColumns, on connection: Connection, into table: TableBuilder, _ functions: [ValueFunction],
        _ limits: MigrationLimits
    ) throws -> RecordCopy? {
        let fill = columns.fill
        guard let keyOffset = columns.keyOffset, let pages = try SourceTable.pages(on: connection),
            let source = try SourceTable(of: fill, on: connection, functions, limits)
        else { return nil }
        var (parts, computed) = try columns.columns(of: source)
        guard 2 * computed.count <= fill.values.count else { return nil }
        let rowWatch = columns.rowWatch(&computed)
        let rows: RecordCopy.Rows
        if computed.isEmpty, fill.condition == nil {
            rows = .all
        } else if computed.isEmpty, let having = fill.entityNumbers.flatMap(source.having) {
            rows = .having(having.position, having.numbers)
        } else {
            rows = .selected(try connection.prepare(fill.selection(of: ["s.\(fill.quotedKey)"] + computed)))
        }
        return RecordCopy(
            TableRecords(pages, root: source.root), columns: source.columnCount, rows: rows, keyOffset: keyOffset,
            encoder: try RowEncoder(table.definition, from: parts, path: table.path, watch: rowWatch))
    }

    private static func selection(
        _ columns: CopiedColumns, on connection: Connection, into table: TableBuilder
    ) throws -> SelectionCopy {
        var (parts, computed) = try columns.columns(of: nil)
        let rowWatch = columns.rowWatch(&computed)
        let key = columns.keyOffset == nil ? columns.key.sql : "s.\(columns.fill.quotedKey)"
        let statement = try connection.prepare(columns.fill.selection(of: [key] + computed))
        return SelectionCopy(
            statement, key: 0, keyOffset: columns.keyOffset ?? 0,
            encoder: try RowEncoder(table.definition, from: parts, path: table.path, watch: rowWatch))
    }

    /// Begins with the first row of a window.
    func begin(_ window: ClosedRange<Int64>) throws {
        switch rows {
        case .records(let records): try records.begin(window)
        case .selection(let selection): try selection.begin(window)
        }
    }

    /// Fills a block with the next rows; returns false if they are the last of the window.
    func fill(_ block: RowBlock) throws -> Bool {
        block.removeAll()
        return switch rows {
        case .records(let records): try records.fill(block, rows: limits.rows, bytes: limits.bytes)
        case .selection(let selection): try selection.fill(block, rows: limits.rows, bytes: limits.bytes)
        }
    }
}

/// The columns of a table that is being built, and the values that a fill has for them.
private struct CopiedColumns {
    let fill: TableFill
    private let table: TableDefinition
    /// The value of each column of the table; nil for NULL.
    private let values: [ColumnExpression?]
    /// The expression for the key of the new row.
    let key: ColumnExpression
    private let watch: ValueWatch?

    init(_ fill: TableFill, into table: TableDefinition, _ watch: ValueWatch?) throws(BuildError) {
        self.fill = fill
        self.table = table
        self.watch = watch
        values = table.positions(in: fill.columns).map { $0.map { fill.values[$0] } }
        key = table.rowIDColumn.flatMap { [values] in values[$0] } ?? .column(fill.key)
    }

    /// The difference between the key of a new row and the key of its source; nil if the key is computed.
    var keyOffset: Int64? { fill.offset(of: key) }

    /// Returns a watch that examines the rows; nil if none is needed. If the fill has conditions, they are added to the
    /// expressions that a statement selects after the key.
    func rowWatch(_ computed: inout [String]) -> RowWatch? {
        guard let watch, let watched = fill.watched else { return nil }
        var condition: Int32?
        if !watched.conditions.isEmpty {
            computed.append(Disjunction.sql(watched.conditions))
            condition = Int32(computed.count)
        }
        return RowWatch(watched.columns, condition: condition) { watch.note() }
    }

    /// Returns the sources of the values, and the expressions that a statement selects after the key.
    ///
    /// - Parameter source: the table whose records are read; nil if a statement selects all values.
    func columns(of source: SourceTable?) throws(SQLiteError) -> (parts: [RecordColumn], computed: [String]) {
        var computed: [String] = []
        let parts = try values.enumerated().map { (place, value) throws(SQLiteError) -> RecordColumn in
            guard let value, place != table.rowIDColumn else { return .null }
            if let copied = try source?.column(value) { return copied }
            if case .constant(let constant) = value { return .constant(constant) }
            computed.append(value.sql)
            return .computed(Int32(computed.count))
        }
        return (parts, computed)
    }
}

extension TableDefinition {
    /// Returns the position of each column among quoted names; nil for columns that are not among them.
    func positions(in names: [String]) -> [Int?] {
        let names = names.map { SQLiteIdentifier.unquoted($0).uppercased() }
        return columns.map { names.firstIndex(of: $0.name.uppercased()) }
    }
}
