import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// What must be known of a table of the source to read its records beneath SQLite.
struct SourceTable {
    private struct Column {
        let name: String
        let affinity: ColumnAffinity
        let hasDefault: Bool
    }

    let root: UInt32
    private let columns: [Column]
    /// The position of the column that stands for the row id; nil if none does.
    private let key: Int?

    /// How the quoted name of a table of the source begins.
    private static let prefix = SourceNaming.attached("source").name("").dropLast(2)

    var columnCount: Int { columns.count }

    /// nil if the rows are not in the order of what the fill reads them by, or a column is computed.
    init?(of fill: TableFill, on connection: Connection) throws(SQLiteError) {
        guard fill.source.hasPrefix(Self.prefix) else { return nil }
        let name = SQLiteIdentifier.unquoted(String(fill.source.dropFirst(Self.prefix.count)))
        let quoted = SQLiteIdentifier.quoted(name)
        let found = try connection.rows(
            "SELECT rootpage FROM source.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE",
            [.string(name)])
        let rows = try connection.rows("PRAGMA source.table_xinfo(\(quoted))")
        let hasRowIDs = try connection.rows("PRAGMA source.table_list(\(quoted))").allSatisfy { $0[4].integer == 0 }
        let keys = rows.indices.filter { rows[$0][5].integer ?? 0 > 0 }
        let alias = keys.count == 1 && (rows[keys[0]][2].string ?? "").uppercased() == "INTEGER" ? keys[0] : nil
        guard let page = found.first?[0].integer, page > 0, hasRowIDs, rows.allSatisfy({ $0[6].integer == 0 }) else {
            return nil
        }
        root = UInt32(clamping: page)
        key = alias
        columns = rows.map { row in
            Column(
                name: (row[1].string ?? "").uppercased(), affinity: ColumnAffinity(declaredType: row[2].string ?? ""),
                hasDefault: row[4] != .null)
        }
        guard alias.map({ columns[$0].name }) ?? "ROWID" == fill.key.uppercased() else { return nil }
    }

    func position(of name: String) -> Int? {
        columns.firstIndex { $0.name == name.uppercased() }
    }

    /// Where a record has the value of a column; nil if it has none that is copied or evaluated.
    ///
    /// - Parameter functions: those that are evaluated with values of a record.
    func column(_ value: ColumnExpression, _ functions: [ValueFunction]) -> RecordColumn? {
        switch value {
        case .constant(let constant): return .constant(constant)
        case .column(let name):
            guard let position = position(of: name), isWhole(position) else { return nil }
            return .value(position, columns[position].affinity)
        case .filled(let name, let value):
            guard let position = position(of: name), isWhole(position) else { return nil }
            return .filled(position, columns[position].affinity, value)
        case .replaced(let name, let numbers):
            guard let position = position(of: name), isWhole(position), let small = SmallNumbers(numbers) else {
                return nil
            }
            return .replaced(position, small)
        case .lookup(let sql): return functions.first { $0.call == sql }.flatMap { call(of: $0) }
        case .key, .row, .inlined: return nil
        }
    }

    /// nil if an argument is more than a column.
    private func call(of function: ValueFunction) -> RecordColumn? {
        var arguments: [(position: Int, affinity: ColumnAffinity)] = []
        for text in function.argumentTexts {
            guard text.hasPrefix("s."),
                let position = position(of: SQLiteIdentifier.unquoted(String(text.dropFirst(2)))), isWhole(position)
            else { return nil }
            arguments.append((position, columns[position].affinity))
        }
        return .evaluated(arguments, function.evaluation())
    }

    /// Whether all records have the value of a column: those that were written before it was added have its default.
    private func isWhole(_ position: Int) -> Bool { position != key && !columns[position].hasDefault }
}
