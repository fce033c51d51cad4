/// A condition on which a run fails: findings of a minimum severity, findings about lost data, or findings with a code.
public enum LintGate: Sendable, Hashable {
    /// Findings of this severity or a higher one.
    case severity(LintSeverity)
    /// Existing data would be dropped; such findings become errors.
    case destructive
    /// Findings with this code.
    case code(LintCode)

    /// Makes the gate with a name: `note`, `warning`, `error`, `destructive`, or a code such as `FM603`; nil for
    /// anything else.
    public init?(name: String) {
        if let severity = LintSeverity(rawValue: name) {
            self = .severity(severity)
        } else if name == "destructive" {
            self = .destructive
        } else if let code = LintCode(rawValue: name) {
            self = .code(code)
        } else {
            return nil
        }
    }

    /// The names of all gates.
    public static var names: [String] {
        LintSeverity.allCases.map(\.rawValue) + ["destructive"] + LintCode.allCases.map(\.rawValue)
    }

    /// The name of the gate: a severity, `destructive`, or a code.
    public var name: String {
        switch self {
        case .severity(let severity): severity.rawValue
        case .destructive: "destructive"
        case .code(let code): code.rawValue
        }
    }

    func stops(_ finding: LintFinding) -> Bool {
        switch self {
        case .severity(let severity): finding.code.severity >= severity
        case .destructive: finding.code.isDestructive
        case .code(let code): finding.code == code
        }
    }
}

extension LintCode {
    /// Whether the finding says that data are dropped, not only that something may fail.
    public var isDestructive: Bool { self == .lostData }
}

extension LintReport {
    /// Returns whether any of the gates fails; silenced findings are ignored.
    public func isStopped(by gates: [LintGate]) -> Bool {
        findings.contains { finding in gates.contains { $0.stops(finding) } }
    }
}

extension [LintFinding] {
    /// Returns the findings with the severities raised by gates.
    public func raised(by gates: [LintGate]) -> [LintFinding] {
        guard gates.contains(.destructive) else { return self }
        return map { finding in
            var finding = finding
            if finding.code.isDestructive { finding.severity = .error }
            return finding
        }
    }
}
