public import ModelLinting

extension ReportPage {
    /// Makes the page of findings in a model.
    ///
    /// - Parameters:
    ///   - report: the findings.
    ///   - path: the path of the model, as the user wrote it.
    ///   - isStopped: whether the run's gates fail because of them.
    ///   - tool: the name and version of the program, as in `ferry 0.1.0`, for the foot of the page.
    public init(_ report: LintReport, path: String, isStopped: Bool, tool: String) {
        let outcome: Outcome =
            switch report.severity {
            case nil: .done
            case .error where isStopped: .failed
            case .note, .warning, .error: .findings
            }
        let summary = report.description.split(separator: "\n").last.map(String.init) ?? ""
        let silenced = report.silenced.map { silenced in
            var finding = PageFinding(.silenced, silenced.finding.code.rawValue, silenced.silence.reason)
            finding.name = silenced.finding.code.rule.name
            finding.subject = silenced.finding.subject
            finding.place = PageFinding.place(of: silenced.finding)
            return finding
        }
        var codes: Set<LintCode> = []
        let remedies = report.findings.map(\.code).filter { codes.insert($0).inserted }
            .map { "\($0.rawValue): \($0.rule.remedy)" }
        self.init(
            "Findings in \(path)", outcome,
            verdict: summary + (isStopped ? "; the run does not pass." : "; the run passes."), tool: tool,
            sections: [
                .findings(report.findings.map { PageFinding($0) }),
                remedies.isEmpty ? nil : PageSection("remedies", "What to do", [.list(remedies)]),
                silenced.isEmpty ? nil : PageSection("silenced", "Silenced", [.findings(silenced)]),
            ])
    }
}

extension PageFinding {
    init(_ finding: LintFinding) {
        let severity: Severity =
            switch finding.severity {
            case .error: .error
            case .warning: .warning
            case .note: .note
            }
        self.init(severity, finding.code.rawValue, finding.message)
        name = finding.code.rule.name
        subject = finding.subject
        place = Self.place(of: finding)
    }

    static func place(of finding: LintFinding) -> String { finding.file + (finding.line.map { ":\($0)" } ?? "") }
}
