/// The severity of a finding.
public enum LintSeverity: String, Sendable, Hashable, Codable, CaseIterable {
    /// Information; often intended.
    case note
    /// It works, but needs attention.
    case warning
    /// Core Data refuses it, or data are read incorrectly.
    case error
}

extension LintSeverity: Comparable {
    private var order: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }

    public static func < (left: LintSeverity, right: LintSeverity) -> Bool { left.order < right.order }
}
