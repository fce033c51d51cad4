/// An error in a text of the predicate format language, with its location.
public struct FormatError: Error, Hashable, Sendable {
    /// The kinds of errors.
    public enum Code: String, Hashable, Sendable {
        /// A character that has no meaning in the language.
        case unexpectedCharacter
        /// A word or sign that is not allowed at its position.
        case unexpectedToken
        /// The text ends although more is expected.
        case unexpectedEnd
        /// A quoted string is not closed.
        case textNotClosed
        /// A backslash before a character that it cannot escape.
        case escapeInvalid
        /// A number that is not well-formed.
        case numberInvalid
        /// A `%` placeholder without an argument.
        case placeholder
        /// An argument that does not match its placeholder: `%K` requires a key path, `%d` an integer, `%f` a number.
        case argumentUnfit
        /// More arguments than placeholders.
        case argumentUnused
        /// A comparison option other than c, d, n and l.
        case optionUnknown
        /// A comparison operator that does not exist.
        case operatorUnknown
        /// A function that is not predefined.
        case functionUnknown
        /// The number of arguments differs from the number of colons in the function's name.
        case argumentCountWrong
        /// A value where a predicate is required.
        case predicateExpected
        /// A predicate where a value is required.
        case expressionExpected
        /// Nesting deeper than the parser allows.
        case tooDeep
        /// A text longer than the parser allows.
        case tooLong
    }

    /// The kind of the error.
    public let code: Code
    /// The byte offset of the error in the UTF-8 text.
    public let offset: Int
    /// The number of bytes that the error covers.
    public let length: Int
    /// The text at that position, truncated to 40 characters; nil if there is none.
    public let found: String?
    /// The column, counted in characters from 1.
    public let column: Int

    init(_ code: Code, at range: Range<Int>, in text: [UInt8], found: String? = nil) {
        self.code = code
        offset = range.lowerBound
        length = range.count
        self.found = found.map { String($0.prefix(40)) }
        column = String(decoding: text[..<min(range.lowerBound, text.count)], as: UTF8.self).count + 1
    }

    /// Returns the text, and below it a caret at the position, as two lines; tabs and line ends count as one space.
    public func marked(in text: String) -> String {
        let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        return line + "\n" + String(repeating: " ", count: column - 1) + "^"
    }
}

extension FormatError: CustomStringConvertible {
    /// A one-sentence description; its wording may change.
    public var description: String {
        "column \(column): " + code.sentence + (found.map { " (found \($0.debugDescription))" } ?? "")
    }
}

extension FormatError.Code {
    fileprivate var sentence: String {
        switch self {
        case .unexpectedCharacter: "this character has no meaning in a predicate or expression; remove or quote it"
        case .unexpectedToken: "this does not fit here; check what comes before it"
        case .unexpectedEnd: "the text ends where more is needed; complete it"
        case .textNotClosed: "a quoted string does not end; add the closing quote"
        case .escapeInvalid: "no character is written like this; use \\n, \\t, \\\", \\\\ or \\u and four digits"
        case .numberInvalid: "a number is not well-formed; correct it"
        case .placeholder:
            "there is nothing to put in for a % placeholder; write the value, or a $variable; a remainder is "
                + "modulus:by:(a, b)"
        case .argumentUnfit:
            "the argument does not fit its placeholder; %@ takes any value, %K a key path as text, %d a whole number and "
                + "%f a number"
        case .argumentUnused: "there are more arguments than % placeholders; remove some"
        case .optionUnknown: "a comparison has only the options c, d, n and l; remove the others"
        case .operatorUnknown:
            "there is no comparison of this name; NOT stands before a whole comparison (NOT a IN b), and = NULL asks "
                + "whether there is no value"
        case .functionUnknown:
            "no predefined function has this name; call a method with FUNCTION(target, \"name:\", ...)"
        case .argumentCountWrong: "the number of arguments is not that of the name's colons; add or remove some"
        case .predicateExpected: "a value stands where something true or false is needed; compare it with another"
        case .expressionExpected: "a predicate stands where a value is needed; use TERNARY(it, YES, NO)"
        case .tooDeep: "the nesting is too deep; simplify it"
        case .tooLong:
            "a predicate or expression has at most \(FormatParser.maximumLength) bytes; give long lists as the value of a "
                + "$variable"
        }
    }
}
