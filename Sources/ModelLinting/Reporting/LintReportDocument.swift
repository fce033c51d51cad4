/// A report as JSON.
public struct LintReportDocument: Encodable, Sendable {
    struct Finding: Encodable, Sendable {
        let code: String
        let name: String
        let severity: String
        let version: String
        let entity: String?
        let property: String?
        let file: String
        let line: Int?
        let message: String
        let remedy: String
        /// The reason, if the finding is silenced.
        let reason: String?

        init(_ finding: LintFinding, reason: String? = nil) {
            code = finding.code.rawValue
            name = finding.code.rule.name
            severity = finding.severity.rawValue
            version = finding.version
            entity = finding.entity
            property = finding.property
            file = finding.file
            line = finding.line
            message = finding.message
            remedy = finding.code.rule.remedy
            self.reason = reason
        }
    }

    let errors: Int
    let warnings: Int
    let notes: Int
    let findings: [Finding]
    let silenced: [Finding]

    /// Makes the document of a report.
    public init(_ report: LintReport) {
        errors = report.count(.error)
        warnings = report.count(.warning)
        notes = report.count(.note)
        findings = report.findings.map { Finding($0) }
        silenced = report.silenced.map { Finding($0.finding, reason: $0.silence.reason) }
    }
}
