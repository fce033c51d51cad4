/// What a repair does to a row that breaks a rule.
enum RowRepair {
    /// Columns in quotes get values, SQL over the table's row.
    case set([(column: String, value: String)])
    case delete

    /// A column gets a value.
    static func set(_ column: String, _ value: String) -> RowRepair { .set([(column, value)]) }
}
