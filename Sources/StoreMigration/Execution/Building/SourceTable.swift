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

    private let fill: TableFill
    private let connection: Connection
    private let functions: [ValueFunction]
    private let limits: MigrationLimits
    let root: UInt32
    private let columns: [Column]
    /// The position of the column that stands for the row id; nil if none does.
    private let key: Int?

    /// How the quoted name of a table of the source begins.
    private static let prefix = SourceNaming.attached("source").name("").dropLast(2)

    var columnCount: Int { columns.count }

    /// nil if the rows are not in the order of what the fill reads them by, or a column is computed.
    ///
    /// - Parameter functions: those that the fill calls.
    init?(
        of fill: TableFill, on connection: Connection, _ functions: [ValueFunction], _ limits: MigrationLimits
    ) throws(SQLiteError) {
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
        (self.fill, self.connection, self.functions, self.limits) = (fill, connection, functions, limits)
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
    func column(_ value: ColumnExpression) throws(SQLiteError) -> RecordColumn? {
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
        case .lookup(let sql, let keyed?): return try lookup(sql, keyed)
        case .lookup(let sql, nil):
            guard let function = functions.first(where: { $0.call == sql }),
                let arguments = arguments(function.argumentTexts)
            else { return nil }
            return .evaluated(arguments, function.evaluation())
        case .key, .row, .inlined: return nil
        }
    }

    /// nil if there are too many keys for their values to be remembered.
    private func lookup(_ sql: String, _ keyed: KeyedRows) throws(SQLiteError) -> RecordColumn? {
        guard fill.entityNumbers == [keyed.entityNumber], let arguments = arguments(keyed.columns.map { "s." + $0 }),
            let count = try connection.value("SELECT count(*) FROM \(keyed.keys)").integer, count <= limits.knownKeys
        else { return nil }
        let statement = try connection.prepare("SELECT \(sql) FROM \(fill.source) s WHERE s.\(fill.key) = ?1")
        return .evaluated([(-1, .integer)] + arguments, KeyedLookup(statement, limits))
    }

    /// Where a record has the values of columns of the row `s`; nil if it lacks one, or a text is more than a column.
    private func arguments(_ texts: [String]) -> [(position: Int, affinity: ColumnAffinity)]? {
        let positions = texts.compactMap { text in
            text.hasPrefix("s.") ? position(of: SQLiteIdentifier.unquoted(String(text.dropFirst(2)))) : nil
        }
        guard positions.count == texts.count, positions.allSatisfy(isWhole) else { return nil }
        return positions.map { ($0, columns[$0].affinity) }
    }

    /// Whether all records have the value of a column: those that were written before it was added have its default.
    private func isWhole(_ position: Int) -> Bool { position != key && !columns[position].hasDefault }
}
