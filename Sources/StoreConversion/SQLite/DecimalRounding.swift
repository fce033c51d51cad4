import KeyedArchives

/// Determines what the column of a decimal number can represent: SQLite stores an integer or a double.
enum DecimalRounding {
    /// Returns whether all digits of the number are preserved.
    static func isKept(_ text: String) -> Bool {
        guard let exact = DecimalNumber(text) else { return false }
        if exact.isNotANumber || Int64(exact.description) != nil { return true }
        guard let number = Double(text), let kept = DecimalNumber("\(number)") else { return false }
        return kept.description == exact.description
    }
}
