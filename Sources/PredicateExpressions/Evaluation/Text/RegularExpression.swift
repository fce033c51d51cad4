import UnicodeText

/// A regular expression of MATCHES or of a model's attribute, which must match the whole text.
///
/// It uses ICU's engine, as on Apple's systems, with the same syntax and results. The engine backtracks, so some
/// patterns take exponential time; it is stopped after a fixed number of steps, which does not depend on the machine.
public final class RegularExpression: Sendable {
    private let matcher: TextMatcher

    /// The limit, in units of about 10 000 of ICU's steps: some tenths of a second.
    private static let maximumSteps: Int32 = 501

    /// Compiles a pattern.
    /// - Throws: `EvaluationFault` if the pattern is malformed.
    public init(_ pattern: String, _ options: ComparisonOptions = []) throws(EvaluationFault) {
        // Alone first: the group around it must not make an invalid pattern valid.
        guard pattern.isEmpty || TextMatcher(pattern) != nil,
            let matcher = TextMatcher(
                "(?:" + pattern + ")\\z", isCaseInsensitive: options.contains(.caseInsensitive))
        else {
            throw EvaluationFault(
                .patternInvalid, "\(String(pattern.prefix(60)).debugDescription) is not a regular expression")
        }
        self.matcher = matcher
    }

    /// Returns whether the pattern matches the whole text.
    /// - Throws: `EvaluationFault` if that takes too many steps.
    public func matches(_ text: String) throws(EvaluationFault) -> Bool {
        guard let isMatching = matcher.matchesStart(of: text, steps: Self.maximumSteps) else {
            throw EvaluationFault(
                .patternTooCostly,
                "the regular expression tries too many ways on \(String(text.prefix(40)).debugDescription); "
                    + "make its repetitions exclude each other")
        }
        return isMatching
    }
}
