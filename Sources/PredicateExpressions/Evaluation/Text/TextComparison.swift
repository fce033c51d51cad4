/// Comparisons of two strings, with the options `[c]` and `[d]`.
enum TextComparison {
    static func isFolding(_ options: ComparisonOptions) -> Bool {
        // Normalized strings are compared byte by byte, regardless of other options.
        !options.contains(.normalized) && !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
    }

    /// Returns the result of CONTAINS, BEGINSWITH and ENDSWITH, by bytes; the empty string is a part of every string.
    static func holds(
        _ comparisonOperator: ComparisonOperator, _ text: String, _ part: String, _ options: ComparisonOptions
    ) -> Bool {
        guard isFolding(options) else { return holds(comparisonOperator, text, part) }
        return holds(comparisonOperator, TextFolding.folded(text, options), TextFolding.folded(part, options))
    }

    private static func holds(_ comparisonOperator: ComparisonOperator, _ text: String, _ part: String) -> Bool {
        let (text, part) = (text.utf8, part.utf8)
        guard text.count >= part.count else { return false }
        switch comparisonOperator {
        case .beginsWith: return text.starts(with: part)
        case .endsWith: return text.suffix(part.count).elementsEqual(part)
        default: return contains(text, part)
        }
    }

    private static func contains(_ text: String.UTF8View, _ part: String.UTF8View) -> Bool {
        guard let first = part.first else { return true }
        let last = text.index(text.startIndex, offsetBy: text.count - part.count)
        var position = text.startIndex
        while position <= last {
            if text[position] == first, text[position...].starts(with: part) { return true }
            guard position < last else { return false }
            text.formIndex(after: &position)
        }
        return false
    }
}
