/// Disjunctions of any number of conditions, as SQL with limited depth: SQLite allows a depth of 1000.
public enum Disjunction {
    /// Returns the SQL; `0` if there are no conditions.
    public static func sql(_ conditions: some RandomAccessCollection<String>) -> String {
        if conditions.count <= 1 { return conditions.first ?? "0" }
        let half = conditions.count / 2
        return "(" + sql(conditions.prefix(half)) + " OR " + sql(conditions.dropFirst(half)) + ")"
    }
}
