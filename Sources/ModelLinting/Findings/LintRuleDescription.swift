/// The description of a code: a row of the table in docs/linting.md, which is also included in SARIF reports.
public struct LintRuleDescription: Sendable, Hashable {
    /// The severity of findings with this code, unless a gate raises it.
    public let severity: LintSeverity

    /// A few words joined by hyphens.
    public let name: String

    /// The problem, as a sentence.
    public let meaning: String

    /// The remedy, as a sentence.
    public let remedy: String

    init(_ severity: LintSeverity, _ name: String, _ meaning: String, _ remedy: String) {
        self.severity = severity
        self.name = name
        self.meaning = meaning
        self.remedy = remedy
    }
}

extension LintCode {
    /// The severity of findings with this code, unless a gate raises it.
    public var severity: LintSeverity { rule.severity }

    /// The table of all codes in Markdown.
    public static var markdownTable: String {
        var lines = ["| Code | Severity | Name | Meaning | What to do |", "|---|---|---|---|---|"]
        for code in allCases {
            let rule = code.rule
            lines.append(
                "| `\(code.rawValue)` | \(rule.severity.rawValue) | \(rule.name) | \(rule.meaning) | \(rule.remedy) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
