/// Unions of any number of selections, as SQL: SQLite combines at most 500.
public enum UnionAll {
    /// Returns SQL for the rows of all selections, nested if there are more than SQLite can combine.
    /// - Parameters:
    ///   - selections: at least one.
    ///   - columns: the names of their columns.
    ///   - most: the maximum number that is combined.
    public static func sql(_ selections: [String], columns: String, most: Int = 400) -> String {
        var parts = selections
        let most = max(2, most)
        while parts.count > most {
            parts = stride(from: 0, to: parts.count, by: most).map { start in
                let group = parts[start..<min(start + most, parts.count)]
                return "SELECT \(columns) FROM (\(group.joined(separator: " UNION ALL ")))"
            }
        }
        return parts.joined(separator: " UNION ALL ")
    }
}
