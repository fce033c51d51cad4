import PersistentStores
import SQLiteAccess

/// The source of a destination column's value, for the rows of one source entity.
enum ColumnExpression: Sendable, Hashable {
    /// A column of the source row, unchanged.
    case column(String)

    /// A column of the source row, or a value if the column is NULL.
    case filled(String, SQLiteValue)

    /// The same value for all rows.
    case constant(SQLiteValue)

    /// The primary key of the source row, plus a number.
    case key(plus: Int64)

    /// A number of the source row, or its replacement.
    case replaced(String, [Int64: Int64])

    /// SQL over the columns of the source row, which is called `s`; `base` is the column whose value is changed.
    case row(String, base: String?)

    /// SQL that also reads other tables of the source.
    case lookup(String, keyed: KeyedRows? = nil)

    /// An external value that becomes inline; only Swift can read its file.
    case inlined(String)

    static let null = ColumnExpression.constant(.null)

    /// Whether the value is an unchanged column.
    var isCopied: Bool { if case .column = self { true } else { false } }

    /// Whether the value is computed by an expression.
    var isComputed: Bool { if case .lookup = self { true } else { false } }

    /// Returns the first expression of several that is not NULL.
    static func firstValue(of expressions: [ColumnExpression]) -> ColumnExpression {
        let some = expressions.filter { $0 != .null }
        guard some.count > 1 else { return some.first ?? .null }
        let sql = Coalescence.sql(some.map(\.sql))
        let looksElsewhere = some.contains { if case .lookup = $0 { true } else { false } }
        return looksElsewhere ? .lookup(sql) : .row(sql, base: nil)
    }

    /// The expression over the source row `s`; an inlined value is selected as it is stored.
    var sql: String {
        switch self {
        case .column(let name), .inlined(let name): "s." + SQLiteIdentifier.bare(name)
        case .filled(let name, let value): "ifnull(s.\(SQLiteIdentifier.bare(name)), \(value.literal))"
        case .constant(let value): value.literal
        case .key(let offset): "s.Z_PK" + (offset == 0 ? "" : " + \(offset)")
        case .replaced(let name, let numbers):
            "CASE s.\(SQLiteIdentifier.bare(name)) "
                + numbers.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value)" }.joined(separator: " ")
                + " ELSE s.\(SQLiteIdentifier.bare(name)) END"
        case .row(let text, _), .lookup(let text, _): text
        }
    }
}

/// The columns that determine the value of a lookup, if many rows share them.
struct KeyedRows: Sendable, Hashable {
    /// The table of all keys that are looked up.
    let keys: String
    /// The columns of the source row that determine the value; if all of them are NULL, the row's own key does, unless
    /// the value is NULL.
    let columns: [String]
    /// The number of the entity whose rows have these keys.
    let entityNumber: Int
    /// Whether the value is NULL if all columns are NULL.
    var isKeptNull = false
}
