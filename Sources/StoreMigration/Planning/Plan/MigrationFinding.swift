/// Something that a plan found out about the data or the models.
public struct MigrationFinding: Sendable, Hashable, Codable {
    /// How serious a finding is.
    public enum Severity: String, Sendable, Codable, Comparable {
        /// Worth knowing; nothing is wrong.
        case note
        /// The migration works, and somebody should look at this: exit status 1.
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

    /// How serious the finding is.
    public let severity: Severity

    /// A stable name such as `missing-required-value`.
    public let code: String

    /// Cocoa's error number; nil if it has none.
    public let cocoaCode: Int?

    /// What the finding is about: `Entity` or `Entity.property`; nil if it is about the store.
    public let subject: String?

    /// What is the matter and what to do.
    public let message: String

    /// How many rows are concerned; nil if it is about none, or they were not counted.
    public let count: Int64?

    /// URIs of some of the objects.
    public let examples: [String]

    /// The values of these objects that are concerned, as SQL writes them; nil if they are not known.
    public let values: [String]?

    /// Makes a finding.
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
