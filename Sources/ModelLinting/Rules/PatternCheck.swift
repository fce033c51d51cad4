// Only Foundation has ICU's regular expressions, which are those of models.
import Foundation

/// A regular expression as Core Data applies it: to the whole text.
struct PatternCheck {
    private let expression: NSRegularExpression

    /// nil if the pattern is malformed.
    init?(_ pattern: String) {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return nil }
        self.expression = expression
    }

    func matches(_ text: String) -> Bool {
        let whole = NSRange(location: 0, length: text.utf16.count)
        // Anchored at both ends, as an alternative may match a part before another matches all.
        guard let anchored = try? NSRegularExpression(pattern: "(?:\(expression.pattern))\\z"),
            let match = anchored.firstMatch(in: text, options: .anchored, range: whole)
        else { return false }
        return match.range == whole
    }
}
