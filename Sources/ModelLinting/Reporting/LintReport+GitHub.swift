extension LintReport {
    /// A workflow command for each finding, which GitHub shows at its line.
    public var gitHubAnnotations: String {
        findings.map { finding in
            let kind = finding.severity == .note ? "notice" : finding.severity.rawValue
            var properties = ["file=\(Self.property(finding.file))"]
            if let line = finding.line { properties.append("line=\(line)") }
            properties.append("title=\(Self.property(finding.code.rawValue + " " + finding.code.rule.name))")
            let message = (finding.subject.map { $0 + ": " } ?? "") + finding.message
            return "::\(kind) \(properties.joined(separator: ","))::\(Self.data(message))\n"
        }.joined()
    }

    /// Returns a value for a property of a command, in which colons and commas are delimiters.
    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }
}
