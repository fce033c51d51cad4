/// The form of an expression in SQL.
enum SQLTerm {
    case value(SQLOperand)
    /// The rows of a to-many path.
    case rows(SQLRows)
    /// A list, `{a, b}`.
    case list([SQLOperand])
}

/// The rows of a subselect, with one value each.
struct SQLRows {
    /// Tables with their aliases, separated by commas.
    var tables: [String] = []
    var conditions: [String] = []
    var value: String
    var kind: SQLValueKind
    /// The range of integers.
    var bounds: ClosedRange<Int64>?
    /// The order key of each row, if the relationship is ordered.
    var order: String?
    var isDistinct = false

    /// Excludes the rows that do not satisfy a condition, which is not evaluated for excluded rows.
    mutating func add(_ condition: SQLCondition) {
        if condition.mayFail {
            conditions = [SQLCondition.all(of: conditions.map { SQLCondition($0) } + [condition]).text]
        } else {
            conditions.append(condition.text)
        }
    }

    /// Returns `FROM a AS t, b AS u WHERE ...`.
    func clauses() -> String {
        "FROM " + tables.joined(separator: ", ")
            + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
    }

    /// The statement `SELECT value FROM ...`.
    var select: String { "SELECT \(isDistinct ? "DISTINCT " : "")\(value) " + clauses() }
}
