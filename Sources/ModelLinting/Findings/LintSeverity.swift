/// How much a finding weighs.
public enum LintSeverity: String, Sendable, Hashable, Codable, CaseIterable {
    /// Worth knowing; often meant to be so.
    case note
    /// It works, but somebody should look.
    case warning
    /// Core Data refuses it, or data are read wrongly.
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
