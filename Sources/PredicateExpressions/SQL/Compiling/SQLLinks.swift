/// The links of a path, as parts of a statement over the path's own row: one `SELECT` returns a pair for each link.
public struct SQLLinks: Hashable, Sendable {
    /// Tables with their aliases, to be joined with the row's table; empty if the value is in the row itself.
    public let tables: [String]

    /// The join conditions.
    public let conditions: [String]

    /// The value at the end of the path.
    public let value: SQLFragment

    /// Whether one row can have several values.
    public let isToMany: Bool

    /// The order key of each value; nil if the relationship is not ordered.
    public let order: String?
}

extension SQLCompiler {
    /// Returns the links of a path to one or many objects or values.
    /// - Throws: `SQLRefusal`, with the part that SQL cannot compute, and the reason.
    public func links(_ expression: Expression) throws(SQLRefusal) -> SQLLinks {
        var compiler = self
        switch try compiler.term(expression) {
        case .value(let operand):
            return SQLLinks(
                tables: [], conditions: [], value: compiler.fragment(compiler.checked(operand)), isToMany: false,
                order: nil)
        case .rows(let rows):
            return SQLLinks(
                tables: rows.tables, conditions: rows.conditions,
                value: compiler.fragment(SQLOperand(text: rows.value, kind: rows.kind)), isToMany: true,
                order: rows.order)
        case .list: throw refuse(expression, "a list of values leads to nothing")
        }
    }
}
