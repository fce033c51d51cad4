import PersistentStores
public import StoreMigration
public import StoreVerification

extension ReportPage {
    /// Makes the page of a verification.
    ///
    /// - Parameters:
    ///   - report: the findings and counts.
    ///   - version: the version that the store was compared with, if known.
    ///   - tool: the name and version of the program, as in `ferry 0.1.0`, for the foot of the page.
    public init(_ report: VerificationReport, version: VersionedModel?, tool: String) {
        let outcome: Outcome =
            switch report.severity {
            case .error: .failed
            case .warning: .findings
            case .note, nil: .done
            }
        self.init(
            "Verification of \(report.store)", outcome, verdict: "The store: \(report.verdict).", tool: tool,
            sections: [
                .findings(report.findings.map { PageFinding($0) }),
                PageSection(
                    "figures", "Figures",
                    [
                        .facts([
                            .init("Store", report.store), .init("UUID of the store", report.storeUUID),
                            .init("Version", report.model ?? "unknown: only checks that need no model were made"),
                            .init("Rows", Quantity.count(report.rows)),
                            .init("Time", Quantity.duration(report.seconds)),
                            .init("Rate", Self.rate(report.rows, report.seconds)),
                        ])
                    ]),
                version.map { Self.hashes([$0]) },
            ])
    }
}

extension PageFinding {
    init(_ finding: VerificationFinding) {
        let severity: Severity =
            switch finding.severity {
            case .error: .error
            case .warning: .warning
            case .note: .note
            }
        self.init(severity, finding.code, finding.message)
        name = finding.cocoaCode.map { "error \($0)" }
        subject = finding.subject
        count = finding.count
        examples = finding.examples
    }
}
