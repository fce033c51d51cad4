/// The repair of a row that violates a rule.
enum RowRepair {
    /// Sets quoted columns to values, which are SQL over the table's row.
    case set([(column: String, value: String)])
    case delete

    /// Returns a repair that sets one column.
    static func set(_ column: String, _ value: String) -> RowRepair { .set([(column, value)]) }
}
