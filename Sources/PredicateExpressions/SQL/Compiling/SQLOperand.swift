/// A scalar in SQL.
struct SQLOperand: Sendable {
    /// It can stand beside any operator.
    var text: String
    var kind: SQLValueKind
    /// Of an integer, between what it must be.
    var bounds: ClosedRange<Int64>?
    /// An integer sum that may have overflowed: SQLite has made a real of it, where it must become an error.
    var isUnchecked = false
    /// A real that is an integer where it is the sum of nothing.
    var mayBeWhole = false
    /// Where the expression is a constant.
    var constant: ExpressionValue?
    /// `NULL` or a variable: `=` asks whether the other side is NULL too.
    var asksForNull = false

    static let null = SQLOperand(text: "NULL", kind: .null, constant: .null, asksForNull: true)
}
