/// A finding of any kind of report, as a page shows it.
struct PageFinding: Sendable {
    enum Severity: String, Sendable, CaseIterable {
        case error, warning, note
        /// Accepted with a reason.
        case silenced
    }

    let severity: Severity
    let code: String
    /// What the code is about, where it has a name.
    var name: String?
    /// An entity, a property, or a table.
    var subject: String?
    let message: String
    /// The file and line.
    var place: String?
    var count: Int64?
    /// URIs of objects, names of files.
    var examples: [String] = []

    init(_ severity: Severity, _ code: String, _ message: String) {
        self.severity = severity
        self.code = code
        self.message = message
    }

    /// Findings of one code, in the order of the first of each.
    struct Group {
        let severity: Severity
        let code: String
        var findings: [PageFinding]
    }

    /// The heaviest first.
    static func groups(_ findings: [PageFinding]) -> [Group] {
        Severity.allCases.flatMap { severity in
            var groups: [Group] = []
            var indexes: [String: Int] = [:]
            for finding in findings where finding.severity == severity {
                if let index = indexes[finding.code] {
                    groups[index].findings.append(finding)
                } else {
                    indexes[finding.code] = groups.count
                    groups.append(Group(severity: severity, code: finding.code, findings: [finding]))
                }
            }
            return groups
        }
    }
}
