import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// Encodes the rows of a selection for a table that is being built; their bytes are borrowed from SQLite.
struct TableCopy {
    private let encoder: RowEncoder
    private let select: Statement
    /// By column of the table, that of the selection; -1 for none.
    private let sources: [Int32]
    private let keyColumn: Int32
    private let limits: BatchLimits

    /// - Parameters:
    ///   - fill: its selection has `Z_PK` among its columns.
    ///   - limits: of a block.
    init(_ fill: TableFill, on connection: Connection, into table: TableBuilder, limits: BatchLimits) throws {
        select = try connection.prepare(fill.selectStatement)
        encoder = RowEncoder(table.definition, path: table.path)
        self.limits = limits
        var positions: [String: Int32] = [:]
        for (position, name) in fill.columns.enumerated() {
            positions[Self.plain(name).uppercased()] = Int32(position)
        }
        sources = table.definition.columns.map { positions[$0.name.uppercased()] ?? -1 }
        keyColumn = positions["Z_PK"] ?? 0
    }

    /// A name without the quotes that it has in statements.
    private static func plain(_ name: String) -> String {
        guard name.utf8.count >= 2, name.hasPrefix("\""), name.hasSuffix("\"") else { return name }
        var plain = ""
        var isHalf = false
        for character in name.dropFirst().dropLast() {
            isHalf = character == "\"" && !isHalf
            if !isHalf { plain.append(character) }
        }
        return plain
    }

    /// Begins with the rows of a window.
    func begin(_ window: ClosedRange<Int64>) throws {
        select.reset()
        try select.bindInteger(window.lowerBound, at: 1)
        try select.bindInteger(window.upperBound, at: 2)
    }

    /// Fills a block with the next rows; false where these are the window's last.
    func fill(_ block: RowBlock) throws -> Bool {
        block.removeAll()
        while block.count < limits.rows, block.size < limits.bytes {
            guard try select.step() else { return false }
            try encoder.append(rowOf: select, columns: sources, key: keyColumn, to: block)
        }
        return true
    }
}
