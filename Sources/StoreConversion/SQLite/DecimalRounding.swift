import KeyedArchives

/// What the column of a decimal number keeps of one: SQLite makes it an integer or a double.
enum DecimalRounding {
    /// Whether the number comes back with all its digits.
    static func isKept(_ text: String) -> Bool {
        guard let exact = DecimalNumber(text) else { return false }
        if exact.isNotANumber || Int64(exact.description) != nil { return true }
        guard let number = Double(text), let kept = DecimalNumber("\(number)") else { return false }
        return kept.description == exact.description
    }
}
