/// A fact about the data or the models that a plan reports.
public struct MigrationFinding: Sendable, Hashable, Codable {
    /// The severity of a finding.
    public enum Severity: String, Sendable, Codable, Comparable {
        /// Information; nothing is wrong.
        case note
        /// The migration works, but the finding should be examined: exit status 1.
        case warning
        /// The migration is refused: exit status 2.
        case error

        public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .note: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    /// The severity of the finding.
    public let severity: Severity

    /// A stable name, such as `missing-required-value`.
    public let code: String

    /// The error code of Cocoa; nil if there is none.
    public let cocoaCode: Int?

    /// The subject of the finding: `Entity` or `Entity.property`; nil for the store.
    public let subject: String?

    /// The problem and its remedy.
    public let message: String

    /// The number of rows to which the finding applies; nil if it applies to none, or if they were not counted.
    public let count: Int64?

    /// URIs of some of the objects.
    public let examples: [String]

    /// The relevant values of these objects, as SQL literals; nil if they are not known.
    public let values: [String]?

    /// Creates a finding.
    public init(
        _ severity: Severity, _ code: String, cocoaCode: Int? = nil, subject: String? = nil, message: String,
        count: Int64? = nil, examples: [String] = [], values: [String]? = nil
    ) {
        self.severity = severity
        self.code = code
        self.cocoaCode = cocoaCode
        self.subject = subject
        self.message = message
        self.count = count
        self.examples = examples
        self.values = values
    }
}
