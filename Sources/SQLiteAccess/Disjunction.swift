/// Conditions of which one must hold, as SQL that does not grow deep: SQLite allows a depth of 1000.
public enum Disjunction {
    /// `0` for none.
    public static func sql(_ conditions: some RandomAccessCollection<String>) -> String {
        if conditions.count <= 1 { return conditions.first ?? "0" }
        let half = conditions.count / 2
        return "(" + sql(conditions.prefix(half)) + " OR " + sql(conditions.dropFirst(half)) + ")"
    }
}
