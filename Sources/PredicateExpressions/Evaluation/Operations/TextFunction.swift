/// The functions of one string, by their selectors.
enum TextFunction: String, CaseIterable {
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
    /// The string without case and diacritics.
    case canonical = "canonical:"
    /// The number of UTF-16 units.
    case length = "length:"
    /// The string itself: the function only tells Core Data not to use an index.
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

    /// Returns the text with each word capitalized, like `capitalizedString`.
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
