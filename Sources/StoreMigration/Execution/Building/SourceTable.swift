import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// The facts about a table of the source that are needed to read its records without SQL.
struct SourceTable {
    private let fill: TableFill
    private let connection: Connection
    private let functions: [ValueFunction]
    private let limits: MigrationLimits
    private let table: RecordTable

    /// The beginning of the quoted name of a source table.
    private static let prefix = SourceNaming.attached("source").name("").dropLast(2)

    var root: UInt32 { table.root }

    var columnCount: Int { table.columnCount }

    var encoding: DatabaseFile.TextEncoding { table.encoding }

    /// Returns nil if the rows are not stored in the order of the fill's key, or if a column is generated.
    ///
    /// - Parameter functions: the functions that the fill calls.
    init?(
        of fill: TableFill, on connection: Connection, _ functions: [ValueFunction], _ limits: MigrationLimits
    ) throws(SQLiteError) {
        guard fill.source.hasPrefix(Self.prefix) else { return nil }
        let name = SQLiteIdentifier.unquoted(String(fill.source.dropFirst(Self.prefix.count)))
        guard let table = try RecordTable(name, in: "source", of: connection),
            table.keyName == fill.key.uppercased()
        else { return nil }
        (self.fill, self.connection, self.functions, self.limits) = (fill, connection, functions, limits)
        self.table = table
    }

    /// Returns the position of the entity number in a record, and the numbers that are taken; nil if records have no
    /// entity number, or if a number is too large.
    func having(_ numbers: [Int]) -> (position: Int, numbers: SmallNumbers)? {
        guard let position = table.position(of: "Z_ENT"),
            let taken = SmallNumbers(
                Dictionary(numbers.map { (Int64($0), 1) }, uniquingKeysWith: { first, _ in first }))
        else { return nil }
        return (position, taken)
    }

    /// Returns the pages of the source; nil if some of them are in a write-ahead log.
    ///
    /// The connection begins a transaction unless one is open. It must last as long as the pages are read.
    static func pages(on connection: Connection) throws(SQLiteError) -> PageReader? {
        if !connection.isInTransaction { try connection.execute("BEGIN") }
        let file = try connection.value("SELECT file FROM pragma_database_list WHERE name = 'source'").string
        let pages = try PageReader(connection, schema: "source", path: file)
        return pages.hasLog ? nil : pages
    }

    /// Returns the place of a column's value in a record; nil if it is neither copied nor evaluated from the record.
    func column(_ value: ColumnExpression) throws(SQLiteError) -> RecordColumn? {
        switch value {
        case .constant(let constant): return .constant(constant)
        case .column(let name):
            return table.value(name).map { .value($0.position, $0.affinity) }
        case .filled(let name, let value):
            return table.value(name).map { .filled($0.position, $0.affinity, value) }
        case .replaced(let name, let numbers):
            guard let position = table.value(name)?.position, let small = SmallNumbers(numbers) else { return nil }
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

    /// Returns a cached lookup; nil if there are too many keys to cache their values, or if a record does not determine
    /// the value.
    private func lookup(_ sql: String, _ keyed: KeyedRows) throws(SQLiteError) -> RecordColumn? {
        guard fill.entityNumbers == [keyed.entityNumber], let arguments = arguments(keyed.columns.map { "s." + $0 }),
            let count = try connection.value("SELECT count(*) FROM \(keyed.keys)").integer, count <= limits.knownKeys
        else { return nil }
        let statement = try connection.prepare("SELECT \(sql) FROM \(fill.source) s WHERE s.\(fill.quotedKey) = ?1")
        return .evaluated([(-1, .integer)] + arguments, KeyedLookup(statement, keepsNull: keyed.isKeptNull, limits))
    }

    /// Returns the positions of columns of the row `s` in a record; nil if the record lacks one, or if a text is not
    /// just a column.
    private func arguments(_ texts: [String]) -> [(position: Int, affinity: ColumnAffinity)]? {
        let places = texts.compactMap { text in
            text.hasPrefix("s.") ? table.value(SQLiteIdentifier.unquoted(String(text.dropFirst(2)))) : nil
        }
        return places.count == texts.count ? places : nil
    }
}
