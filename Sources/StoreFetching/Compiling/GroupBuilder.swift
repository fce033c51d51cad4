import PredicateExpressions

/// Collects the columns of the subselect whose rows are groups.
struct GroupBuilder {
    struct Column {
        /// The SQL of the column.
        let sql: String
        /// The alias of the column in the subselect.
        let alias: String
        /// The column for comparisons: decimals are exact as text, but compared as numbers.
        let comparable: String
        let kind: SQLValueKind
        /// The SQL of the result.
        let result: String
        let column: FetchedColumn
    }

    private(set) var columns: [Column] = []
    /// Number columns in addition to exact texts.
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

    /// Returns a column as a property of a group. The names of results contain dots and parentheses, which aliases do
    /// not.
    func property(_ index: Int) -> Expression { .keyPath(columns[index].alias) }

    var schema: GroupSchema {
        GroupSchema(columns: Dictionary(columns.map { ($0.alias, ($0.comparable, $0.kind)) }) { first, _ in first })
    }
}
