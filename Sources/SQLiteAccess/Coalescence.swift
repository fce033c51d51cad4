/// The first of any number of values that is not NULL, as SQL: a function has at most 127 arguments.
public enum Coalescence {
    /// Returns SQL for the first value that is not NULL, with as many nested calls as are needed.
    /// - Parameters:
    ///   - values: at least one.
    ///   - most: the maximum number of arguments of a call.
    public static func sql(_ values: [String], most: Int = 100) -> String {
        var parts = values
        let most = max(2, most)
        while parts.count > 1 {
            parts = stride(from: 0, to: parts.count, by: most).map { start in
                let group = parts[start..<min(start + most, parts.count)]
                return group.count == 1 ? group[start] : "coalesce(\(group.joined(separator: ", ")))"
            }
        }
        return parts.first ?? "NULL"
    }
}
