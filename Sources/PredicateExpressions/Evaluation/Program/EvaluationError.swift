/// Why an expression has no value: facts, and which part of it is meant.
public struct EvaluationError: Error, Hashable, Sendable {
    /// The kinds of errors.
    public enum Code: String, Hashable, Sendable {
        /// A name that the resolver does not know.
        case nameUnknown
        /// A method that the resolver does not know.
        case methodUnknown
        /// An operator or function on values that it is not for.
        case typeMismatch
        /// An integer beyond 64 bits, or a decimal beyond 38 digits and its exponent.
        case overflow
        /// A value that cannot be converted, as by `CAST`.
        case conversionFailed
        /// A regular expression that is malformed.
        case patternInvalid
        /// A regular expression that tries too many ways.
        case patternTooCostly
        /// The expression is nested deeper than can be evaluated.
        case tooDeep
        /// A value, or the work for it, that goes beyond `EvaluationLimits`.
        case tooLarge
        /// A text that an object is compared with and that names no object of the store.
        case objectIDInvalid
        /// Something of the language that has no meaning here.
        case unsupported
    }

    /// The kind of the error.
    public let code: Code
    /// The whole expression, as it is printed.
    public let expression: String
    /// The part that is meant.
    public let part: String
    /// Where the part stands in the expression, counted in characters from 0.
    public let offset: Int
    /// A clause that says what was found.
    public let detail: String

    /// The expression and under it a caret at the part, two lines.
    public var marked: String {
        let line = String(expression.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        return line + "\n" + String(repeating: " ", count: offset) + "^"
    }
}

extension EvaluationError: CustomStringConvertible {
    /// One sentence; its wording may change.
    public var description: String {
        "column \(offset + 1): \(detail) (in \(Self.cut(part)))"
    }

    private static func cut(_ text: String) -> String {
        text.count > 80 ? String(text.prefix(79)) + "…" : text
    }
}
