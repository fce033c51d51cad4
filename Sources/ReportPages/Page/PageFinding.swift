/// A finding of any kind of report, in the form for a page.
struct PageFinding: Sendable {
    enum Severity: String, Sendable, CaseIterable {
        case error, warning, note
        /// Accepted with a reason.
        case silenced
    }

    let severity: Severity
    let code: String
    /// The name of the subject, if it has one.
    var name: String?
    /// An entity, a property, or a table.
    var subject: String?
    let message: String
    /// The file and line.
    var place: String?
    var count: Int64?
    /// The URIs of objects, or the names of files.
    var examples: [String] = []

    init(_ severity: Severity, _ code: String, _ message: String) {
        self.severity = severity
        self.code = code
        self.message = message
    }

    /// The findings with one code, in the order of their first ones.
    struct Group {
        let severity: Severity
        let code: String
        var findings: [PageFinding]
    }

    /// Returns the groups, the most severe first.
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
