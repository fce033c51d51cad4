import SQLiteAccess
import SQLiteFileBuilder

/// Appends the rows of a selection to a table that is being built; their bytes are borrowed from SQLite.
struct TableCopy {
    private let table: TableBuilder
    private let select: Statement
    /// By column of the table, that of the selection; -1 for none.
    private let sources: [Int32]
    private let keyColumn: Int32

    /// - Parameter names: the columns of the selection, `Z_PK` among them.
    init(_ select: Statement, columns names: [String], into table: TableBuilder) {
        self.table = table
        self.select = select
        var positions: [String: Int32] = [:]
        for (position, name) in names.enumerated() {
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

    /// Appends rows until there are none, or a number of them; how many there were.
    func append(atMost limit: Int) throws -> Int {
        var count = 0
        while count < limit, try select.step() {
            count += 1
            table.beginRow()
            for source in sources {
                guard source >= 0 else {
                    table.appendNull()
                    continue
                }
                switch select.storageClass(source) {
                case .null: table.appendNull()
                case .integer: table.append(select.integer(source))
                case .real: try table.append(select.real(source))
                case .text:
                    try select.withSpan(source) { (bytes) throws(BuildError) in try table.append(text: bytes) }
                case .blob: select.withSpan(source) { table.append(blob: $0) }
                }
            }
            try table.endRow(select.integer(keyColumn))
        }
        return count
    }
}
