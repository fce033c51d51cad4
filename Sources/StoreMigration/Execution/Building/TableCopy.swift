import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// Encodes the rows of a fill for a table that is being built: read from the pages of the source where they are only
/// copied, or selected by SQLite, which lends their bytes.
struct TableCopy {
    private enum Rows {
        case records(RecordSelection)
        case selection(Statement)
    }

    private let encoder: RowEncoder
    private let rows: Rows
    /// By column of the table, that of the selection; -1 for none.
    private let sources: [Int32]
    private let keyColumn: Int32
    private let limits: BatchLimits

    /// - Parameters:
    ///   - fill: its selection has `Z_PK` among its columns.
    ///   - connection: has the source attached.
    ///   - limits: of a block.
    init(_ fill: TableFill, on connection: Connection, into table: TableBuilder, limits: BatchLimits) throws {
        let records = try RecordSelection(fill, on: connection, into: table.definition)
        rows = try records.map { .records($0) } ?? .selection(connection.prepare(fill.selectStatement))
        encoder = RowEncoder(table.definition, path: table.path)
        self.limits = limits
        var positions: [String: Int32] = [:]
        for (position, name) in fill.columns.enumerated() {
            positions[SQLiteIdentifier.unquoted(name).uppercased()] = Int32(position)
        }
        sources = table.definition.columns.map { positions[$0.name.uppercased()] ?? -1 }
        keyColumn = positions["Z_PK"] ?? 0
    }

    /// Begins with the rows of a window.
    func begin(_ window: ClosedRange<Int64>) throws {
        switch rows {
        case .records(let records): try records.begin(window)
        case .selection(let select):
            select.reset()
            try select.bindInteger(window.lowerBound, at: 1)
            try select.bindInteger(window.upperBound, at: 2)
        }
    }

    /// Fills a block with the next rows; false if these are the window's last.
    func fill(_ block: RowBlock) throws -> Bool {
        block.removeAll()
        while block.count < limits.rows, block.size < limits.bytes {
            switch rows {
            case .records(let records): guard try records.appendNext(to: block, by: encoder) else { return false }
            case .selection(let select):
                guard try select.step() else { return false }
                try encoder.append(rowOf: select, columns: sources, key: keyColumn, to: block)
            }
        }
        return true
    }
}
