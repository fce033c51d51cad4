/// What a path leads to, as parts of a statement over the path's own row: one `SELECT` gives a pair for each link.
public struct SQLLinks: Hashable, Sendable {
    /// Tables with their aliases, to be joined to the row's table; empty if the value stands in or beside the row.
    public let tables: [String]

    /// What joins them.
    public let conditions: [String]

    /// The value at the end of the path.
    public let value: SQLFragment

    /// Whether one row can have several.
    public let isToMany: Bool

    /// The place of each among several; nil if the relationship is not ordered.
    public let order: String?
}

extension SQLCompiler {
    /// A path to objects or values, to one or to many.
    /// - Throws: `SQLRefusal`, with the part that SQL does not compute, and the reason.
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
