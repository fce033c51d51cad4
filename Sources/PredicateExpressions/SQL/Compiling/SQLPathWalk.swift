/// The compilation of a key path, from table to table.
struct SQLPathWalk {
    /// The current table.
    var alias: String
    var entity: Int
    var tables: [String] = []
    var conditions: [String] = []
    var isToMany = false
    /// The order key of a row, if a single to-many relationship led to the rows.
    private(set) var order: String?

    mutating func goToMany(_ order: String?) {
        self.order = isToMany ? nil : order
        isToMany = true
    }

    mutating func join(_ table: String, _ alias: String, _ entity: Int, on condition: (String) -> String) {
        tables.append("\(table) AS \(alias)")
        conditions.append(condition(alias))
        self.alias = alias
        self.entity = entity
    }

    /// Returns the value at the end: a column, a subselect of one row, or rows.
    func term(_ value: String, _ kind: SQLValueKind, _ bounds: ClosedRange<Int64>? = nil) -> SQLTerm {
        let rows = SQLRows(
            tables: tables, conditions: conditions, value: value, kind: kind, bounds: bounds, order: order)
        guard !isToMany else { return .rows(rows) }
        return .value(SQLOperand(text: tables.isEmpty ? value : "(\(rows.select))", kind: kind, bounds: bounds))
    }
}
