import Foundation

/// A regular expression of MATCHES or of a model's attribute, which must match the whole text.
///
/// It is ICU's engine, reached through Foundation, as on Apple's systems: the same syntax and the same results. The
/// engine goes back over its tries, so that some patterns take exponential time; it is stopped after a fixed number
/// of steps, which does not depend on the machine.
public final class RegularExpression: @unchecked Sendable {
    /// Foundation's class cannot be changed, and is documented to be safe to use from several threads at once.
    private let expression: NSRegularExpression

    /// ICU reports about every 10 000 steps; this many reports are some tenths of a second.
    private static let maximumReports = 500

    /// Throws `EvaluationFault` if the pattern is malformed.
    public init(_ pattern: String, _ options: ComparisonOptions = []) throws(EvaluationFault) {
        let isCaseFolded = options.contains(.caseInsensitive)
        do {
            // By itself first: what is wrong must not become right through the group around it.
            if !pattern.isEmpty { _ = try NSRegularExpression(pattern: pattern) }
            expression = try NSRegularExpression(
                pattern: "(?:" + pattern + ")\\z", options: isCaseFolded ? [.caseInsensitive] : [])
        } catch {
            throw EvaluationFault(
                .patternInvalid, "\(String(pattern.prefix(60)).debugDescription) is not a regular expression")
        }
    }

    /// Whether the pattern matches the whole text.
    ///
    /// Throws `EvaluationFault` if that takes too many steps to find out.
    public func matches(_ text: String) throws(EvaluationFault) -> Bool {
        let range = NSRange(location: 0, length: text.utf16.count)
        var isMatching = false
        var reports = 0
        var isTooCostly = false
        expression.enumerateMatches(in: text, options: [.anchored, .reportProgress], range: range) {
            match, flags, stop in
            if match != nil {
                isMatching = true
                stop.pointee = true
            } else if flags.contains(.internalError) {
                isTooCostly = true
                stop.pointee = true
            } else if flags.contains(.progress) {
                reports += 1
                isTooCostly = reports > Self.maximumReports
                if isTooCostly { stop.pointee = true }
            }
        }
        guard !isTooCostly else {
            throw EvaluationFault(
                .patternTooCostly,
                "the regular expression tries too many ways on \(String(text.prefix(40)).debugDescription); "
                    + "make its repetitions exclude each other")
        }
        return isMatching
    }
}
