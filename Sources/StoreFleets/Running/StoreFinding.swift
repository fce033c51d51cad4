import StoreConversion
import StoreMigration
import StoreVerification

/// A finding about a store, by its code.
struct StoreFinding: Sendable, Hashable, Codable {
    enum Severity: String, Sendable, Codable { case note, warning, error }

    let severity: Severity

    /// The code of the operation's own finding, such as `objects-dropped`.
    let code: String

    /// The number of objects, values or files that it concerns; 0 if they were not counted.
    var count: Int64

    /// Merges findings with the same code, so that there are at most as many as codes.
    static func collected(_ findings: some Sequence<StoreFinding>) -> [StoreFinding] {
        var result: [StoreFinding] = []
        for finding in findings {
            if let index = result.firstIndex(where: { $0.code == finding.code && $0.severity == finding.severity }) {
                let (sum, overflow) = result[index].count.addingReportingOverflow(finding.count)
                result[index].count = overflow ? .max : sum
            } else {
                result.append(finding)
            }
        }
        return result
    }
}

extension StoreFinding {
    init(_ finding: MigrationFinding) {
        let severity: Severity =
            switch finding.severity {
            case .note: .note
            case .warning: .warning
            case .error: .error
            }
        self.init(severity: severity, code: finding.code, count: finding.count ?? 0)
    }

    init(_ finding: VerificationFinding) {
        let severity: Severity =
            switch finding.severity {
            case .note: .note
            case .warning: .warning
            case .error: .error
            }
        self.init(severity: severity, code: finding.code, count: finding.count)
    }

    init(_ finding: ConversionFinding) {
        self.init(
            severity: finding.isWarning ? .warning : .note, code: finding.code.rawValue, count: finding.count)
    }
}
