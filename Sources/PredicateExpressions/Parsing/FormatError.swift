/// Why a text is not of the predicate format language: facts, and where.
public struct FormatError: Error, Hashable, Sendable {
    /// The kinds of errors.
    public enum Code: String, Hashable, Sendable {
        /// A character that has no meaning in the language.
        case unexpectedCharacter
        /// A word or sign that does not fit where it stands.
        case unexpectedToken
        /// The text ends where more is needed.
        case unexpectedEnd
        /// A quoted string does not end.
        case textNotClosed
        /// A backslash before something that it does not escape.
        case escapeInvalid
        /// A number that is not well-formed.
        case numberInvalid
        /// A `%` placeholder, for which there is nothing to put in.
        case placeholder
        /// An argument that does not fit its placeholder: `%K` takes a key path, `%d` a whole number, `%f` a number.
        case argumentUnfit
        /// More arguments than placeholders.
        case argumentUnused
        /// A comparison option other than c, d, n and l.
        case optionUnknown
        /// A comparison operator that does not exist.
        case operatorUnknown
        /// A function that is not predefined.
        case functionUnknown
        /// Another number of arguments than the function's name has colons.
        case argumentCountWrong
        /// A value where something true or false is needed.
        case predicateExpected
        /// A predicate where a value is needed.
        case expressionExpected
        /// Nesting deeper than the parser goes.
        case tooDeep
        /// A text longer than the parser reads.
        case tooLong
    }

    /// The kind of the error.
    public let code: Code
    /// The byte offset in the UTF-8 of the text, and how many bytes are meant.
    public let offset: Int
    /// How many bytes are meant.
    public let length: Int
    /// What stands there, cut to 40 characters, or nil.
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

    /// The text and under it a caret at the place, two lines; tabs and line ends count as one space.
    public func marked(in text: String) -> String {
        let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        return line + "\n" + String(repeating: " ", count: column - 1) + "^"
    }
}

extension FormatError: CustomStringConvertible {
    /// One sentence; its wording may change.
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
