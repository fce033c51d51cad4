/// Converts the values of a sort descriptor to values that SQLite orders as the descriptor's method does.
public enum SQLSortKey {
    /// Returns the SQL of the key of a value; nil if the method is unknown, or compares strings and the value is not a
    /// string.
    ///
    /// - Parameters:
    ///   - value: the SQL of the value.
    ///   - selector: `compare:`, `caseInsensitiveCompare:` or one of the localized methods; nil for the first.
    public static func text(_ value: SQLFragment, selector: String?) -> String? {
        guard let selector, selector != "compare:" else { return value.text }
        guard value.kind == .string || value.kind == .null else { return nil }
        if selector == "caseInsensitiveCompare:" {
            return "\(SQLFunction.fold)(\(value.text), \(ComparisonOptions.caseInsensitive.rawValue))"
        }
        guard let order = TextSortKey.Order(rawValue: selector) else { return nil }
        return "\(SQLFunction.sortKey)(\(value.text), '\(order.rawValue)')"
    }

    /// The known methods.
    public static let selectors =
        ["compare:", "caseInsensitiveCompare:"] + TextSortKey.Order.allCases.map(\.rawValue)
}
