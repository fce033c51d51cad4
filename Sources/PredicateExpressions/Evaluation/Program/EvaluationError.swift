/// An error of an evaluation, with the part of the expression that it is about.
public struct EvaluationError: Error, Hashable, Sendable {
    /// The kinds of errors.
    public enum Code: String, Hashable, Sendable {
        /// A name is unknown to the resolver.
        case nameUnknown
        /// A method is unknown to the resolver.
        case methodUnknown
        /// An operator or function is not defined for the types of its operands.
        case typeMismatch
        /// An integer exceeds 64 bits, or a decimal exceeds 38 digits and the range of its exponent.
        case overflow
        /// A value cannot be converted, for example by `CAST`.
        case conversionFailed
        /// A regular expression is malformed.
        case patternInvalid
        /// A regular expression requires too many steps.
        case patternTooCostly
        /// The expression is nested too deeply to be evaluated.
        case tooDeep
        /// A value, or the work to compute it, exceeds `EvaluationLimits`.
        case tooLarge
        /// A text that is compared with an object is not the ID of an object in the store.
        case objectIDInvalid
        /// A feature of the language is not supported here.
        case unsupported
    }

    /// The kind of the error.
    public let code: Code
    /// The whole expression as text.
    public let expression: String
    /// The part that the error is about.
    public let part: String
    /// The offset of the part in the expression, in characters.
    public let offset: Int
    /// A clause about what was found.
    public let detail: String

    /// The expression, and below it a caret at the part, as two lines.
    public var marked: String {
        let line = String(expression.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        return line + "\n" + String(repeating: " ", count: offset) + "^"
    }
}

extension EvaluationError: CustomStringConvertible {
    /// A one-sentence description; its wording may change.
    public var description: String {
        "column \(offset + 1): \(detail) (in \(Self.cut(part)))"
    }

    private static func cut(_ text: String) -> String {
        text.count > 80 ? String(text.prefix(79)) + "…" : text
    }
}
