import PersistentStores

extension VerificationReport: CustomStringConvertible {
    /// The findings for people to read, the most severe first.
    public var description: String {
        var text = "Verification of \(store)\n"
        text += "  model  \(model ?? "unknown: only checks that need no model were made")\n"
        text += "  rows   \(Quantity.count(rows))\n"
        for severity in VerificationFinding.Severity.allCases.reversed() {
            for finding in findings where finding.severity == severity { text += finding.lines }
        }
        return text + "Verdict: \(verdict)\n"
    }

    /// The number of findings of each severity, or `sound`.
    public var verdict: String {
        let counts = VerificationFinding.Severity.allCases.reversed().compactMap { severity -> String? in
            let count = findings.filter { $0.severity == severity }.count
            return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        return counts.isEmpty ? "sound" : counts.joined(separator: ", ")
    }
}

extension VerificationFinding {
    /// One line for the finding, and one for each example.
    var lines: String {
        let place = subject.map { $0 + ": " } ?? ""
        let number = cocoaCode.map { "; error \($0)" } ?? ""
        let head = "\(severity.rawValue): \(place)\(message) [\(code)\(number), \(Quantity.count(count)) found]\n"
        return head + examples.map { "    \($0)\n" }.joined()
    }
}
