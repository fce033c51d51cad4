import PredicateExpressions

/// The columns of groups for HAVING and the sort order: one table, `g`, whose properties are those of the results.
struct GroupSchema: SQLSchema {
    /// The column for comparisons and its kind, by the name in expressions.
    let columns: [String: (column: String, kind: SQLValueKind)]

    func table(of entity: Int) -> SQLTable { SQLTable(name: "g", primaryKey: "rowid") }

    func property(_ name: String, of entity: Int) -> SQLProperty? {
        columns[name].map { .attribute(column: $0.column, $0.kind) }
    }
}
