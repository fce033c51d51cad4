import PredicateExpressions

/// The columns of the subselect whose rows are groups.
struct GroupBuilder {
    struct Column {
        /// What the subselect computes.
        let sql: String
        /// The name in the subselect.
        let alias: String
        /// The name of the column that can be compared: decimals are exact as text, and compared as numbers.
        let comparable: String
        let kind: SQLValueKind
        /// What the results select.
        let result: String
        let column: FetchedColumn
    }

    private(set) var columns: [Column] = []
    /// Columns of numbers beside exact texts.
    private(set) var numbers: [String] = []
    private(set) var keyAliases: [String] = []

    mutating func add(
        name: String, sql: String, kind: SQLValueKind, form: ValueForm, isKey: Bool = false, isText: Bool = false,
        result: String? = nil
    ) -> Int {
        let alias = "c\(columns.count + 1)"
        if isText { numbers.append("CAST(\(sql) AS NUMERIC) AS \(alias)n") }
        if isKey { keyAliases.append(alias) }
        columns.append(
            Column(
                sql: sql, alias: alias, comparable: isText ? alias + "n" : alias, kind: kind,
                result: result ?? "g." + alias, column: FetchedColumn(name: name, form: form)))
        return columns.count - 1
    }

    func index(of name: String) -> Int? {
        columns.firstIndex { $0.column.name == name }
    }

    /// A column as a property of a group. Names of results have points and parentheses; aliases have none.
    func property(_ index: Int) -> Expression { .keyPath(columns[index].alias) }

    var schema: GroupSchema {
        GroupSchema(columns: Dictionary(columns.map { ($0.alias, ($0.comparable, $0.kind)) }) { first, _ in first })
    }
}
