/// A scalar expression in SQL.
struct SQLOperand: Sendable {
    /// The text, which can be an operand of any operator.
    var text: String
    var kind: SQLValueKind
    /// The range of an integer.
    var bounds: ClosedRange<Int64>?
    /// Whether this is an integer sum that may have overflowed: SQLite converts it to a real, but it must be an error.
    var isUnchecked = false
    /// Whether this is a real that is an integer if it is an empty sum.
    var mayBeWhole = false
    /// The value, if the expression is a constant.
    var constant: ExpressionValue?
    /// Whether this is `NULL` or a variable: `=` then tests whether the other side is NULL too.
    var asksForNull = false

    static let null = SQLOperand(text: "NULL", kind: .null, constant: .null, asksForNull: true)
}
