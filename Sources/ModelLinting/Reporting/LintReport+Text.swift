extension LintReport: CustomStringConvertible {
    /// A line for each finding, as compilers write it, then the counts.
    public var description: String {
        findings.map { $0.description + "\n" }.joined() + summary + "\n"
    }

    private var summary: String {
        var parts = LintSeverity.allCases.reversed().compactMap { severity -> String? in
            let count = count(severity)
            return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        if parts.isEmpty { parts = ["no findings"] }
        if !silenced.isEmpty { parts.append("\(silenced.count) silenced") }
        return parts.joined(separator: ", ")
    }
}
