import PredicateExpressions

/// The columns of groups as HAVING and the order of groups see them: one table, `g`, whose properties are the results'.
struct GroupSchema: SQLSchema {
    /// By the name in expressions: the column to compare, and what it holds.
    let columns: [String: (column: String, kind: SQLValueKind)]

    func table(of entity: Int) -> SQLTable { SQLTable(name: "g", primaryKey: "rowid") }

    func property(_ name: String, of entity: Int) -> SQLProperty? {
        columns[name].map { .attribute(column: $0.column, $0.kind) }
    }
}
