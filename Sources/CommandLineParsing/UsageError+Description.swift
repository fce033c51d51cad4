extension UsageError: CustomStringConvertible {
    /// The error as `ferry migrate: what is wrong`, with a reference to the help.
    public var description: String {
        let path = command.joined(separator: " ")
        guard !path.isEmpty else { return sentence }
        return "\(path): \(sentence)\nSee \"\(path) --help\"."
    }

    /// What is wrong, and what to do about it.
    public var sentence: String {
        facts + (suggestion.map { "; did you mean \(Self.shown($0))?" } ?? "")
    }

    private var facts: String {
        let subject = Self.shown(subject)
        let value = Self.shown(value ?? "")
        let expected = expected ?? "a value"
        switch code {
        case .missingCommand: return "no command given; the commands are \(expected)"
        case .unknownCommand:
            return "there is no command \"\(subject)\"" + (suggestion == nil ? "; the commands are \(expected)" : "")
        case .unknownOption:
            let advice = "; if it is meant as an operand, put \"--\" before it"
            return "there is no option \(subject)" + (suggestion == nil ? advice : "")
        case .missingValue where self.value != nil:
            return "\(subject) needs \(expected) after it, but \"\(value)\" is an option itself"
        case .missingValue: return "\(subject) needs \(expected) after it"
        case .unexpectedValue: return "\(subject) takes no value; remove \"=\(value)\""
        case .badValue: return "\(subject) takes \(expected), not \"\(value)\""
        case .repeatedOption: return "\(subject) is given twice; remove one"
        case .missing: return "\(subject) is missing; add it"
        case .surplusOperand:
            return "unexpected \"\(subject)\"; the operands are \(expected) (quote a name that has spaces in it)"
        case .conflict: return "\(subject) and \(value) exclude each other; \(self.expected ?? "remove one")"
        case .dependent: return "\(subject) needs \(value); add that, or remove \(subject)"
        case .badOperand: return "unexpected \"\(subject)\"; it takes \(expected)"
        }
    }

    /// Returns a word for a message: truncated, without control characters.
    private static func shown(_ word: String) -> String {
        let limit = 200
        var result = String.UnicodeScalarView()
        for scalar in word.unicodeScalars.prefix(limit) {
            result.append(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? "\u{FFFD}" : scalar)
        }
        return String(result) + (word.unicodeScalars.count > limit ? "…" : "")
    }
}
