/// What an expression is in SQL.
enum SQLTerm {
    case value(SQLOperand)
    /// The rows of a to-many path.
    case rows(SQLRows)
    /// `{a, b}`
    case list([SQLOperand])
}

/// Rows that a subselect gives, one value each.
struct SQLRows {
    /// Tables with their aliases, between commas.
    var tables: [String] = []
    var conditions: [String] = []
    var value: String
    var kind: SQLValueKind
    /// Of integers, between what they must be.
    var bounds: ClosedRange<Int64>?
    /// The place of each row, where the relationship is ordered.
    var order: String?
    var isDistinct = false

    /// Leaves out the rows that do not fulfil a condition, which is looked at for no others.
    mutating func add(_ condition: SQLCondition) {
        if condition.mayFail {
            conditions = [SQLCondition.all(of: conditions.map { SQLCondition($0) } + [condition]).text]
        } else {
            conditions.append(condition.text)
        }
    }

    /// `FROM a AS t, b AS u WHERE ...`
    func clauses() -> String {
        "FROM " + tables.joined(separator: ", ")
            + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
    }

    /// `SELECT value FROM ...`
    var select: String { "SELECT \(isDistinct ? "DISTINCT " : "")\(value) " + clauses() }
}
