/// The functions of one string, by their selectors.
enum TextFunction: String, CaseIterable {
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
    /// The string without case and diacritics.
    case canonical = "canonical:"
    /// The number of UTF-16 units.
    case length = "length:"
    /// The string itself: it only tells Core Data to use no index.
    case noindex = "noindex:"

    func apply(_ value: ExpressionValue) throws(EvaluationFault) -> ExpressionValue {
        if value.isNull || self == .noindex { return value }
        guard case .string(let text) = value else {
            throw EvaluationFault(.typeMismatch, "\(rawValue) is for a string, not for \(value.kind); CAST it")
        }
        switch self {
        case .uppercase: return .string(text.uppercased())
        case .lowercase: return .string(text.lowercased())
        case .canonical: return .string(TextFolding.folded(text, [.caseInsensitive, .diacriticInsensitive]))
        case .length: return .integer(Int64(text.utf16.count))
        case .noindex: return value
        }
    }

    /// Each word with a large first letter, as `capitalizedString` makes them.
    static func capitalized(_ text: String) -> String {
        var result = ""
        var isInWord = false
        for character in text {
            result += isInWord ? character.lowercased() : character.uppercased()
            isInWord = !character.isWhitespace && !character.isPunctuation || isInWord && character == "'"
        }
        return result
    }
}
