/// A fault of a store under one rule, with its location.
public struct VerificationFinding: Sendable, Hashable, Codable {
    /// The severity of a finding.
    public enum Severity: String, Sendable, Codable, Comparable, CaseIterable {
        /// Information; not a fault.
        case note
        /// Core Data works, but the finding deserves attention.
        case warning
        /// Core Data would fail, or return other data than stored.
        case error

        public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The severity of the finding.
    public let severity: Severity

    /// The rule's code, such as `dangling-reference`.
    public let code: String

    /// Cocoa's error number; nil if it has none.
    public let cocoaCode: Int?

    /// `Entity.property`, an entity, or a table; nil if it is about the file.
    public let subject: String?

    /// The problem, as a sentence without a capital letter and a full stop.
    public let message: String

    /// The number of affected objects, rows or files.
    public let count: Int64

    /// The URIs of some of the objects, names of files, or SQLite's own messages.
    public let examples: [String]

    /// Returns the finding with fewer examples.
    func limited(to limit: Int) -> VerificationFinding {
        guard let rule, examples.count > limit else { return self }
        return VerificationFinding(
            rule, subject: subject, message: message, cocoaCode: cocoaCode, count: count,
            examples: Array(examples.prefix(limit)))
    }

    /// The corresponding finding for a store that is read and written as a whole.
    var inAtomicStore: VerificationFinding {
        guard let rule, rule.inAtomicStore != rule else { return self }
        return VerificationFinding(rule.inAtomicStore, subject: subject, count: count, examples: examples)
    }

    /// Returns the finding for a store whose model version is unknown.
    public static func unknownModel(_ reason: String) -> VerificationFinding {
        VerificationFinding(.modelUnknown, detail: reason)
    }

    /// Makes a finding with its own message.
    init(_ rule: VerificationRule, message: String) {
        self.init(rule, subject: nil, message: message, cocoaCode: rule.cocoaCode, count: 1, examples: [])
    }

    /// The rule; nil for a code that this version does not know.
    public var rule: VerificationRule? { VerificationRule(rawValue: code) }

    init(
        _ rule: VerificationRule, subject: String? = nil, detail: String? = nil, cocoaCode: Int? = nil,
        count: Int64 = 1, examples: [String] = []
    ) {
        self.init(
            rule, subject: subject, message: rule.meaning + (detail.map { " (\($0))" } ?? ""),
            cocoaCode: cocoaCode ?? rule.cocoaCode, count: count, examples: examples)
    }

    private init(
        _ rule: VerificationRule, subject: String?, message: String, cocoaCode: Int?, count: Int64, examples: [String]
    ) {
        severity = rule.severity
        code = rule.code
        self.cocoaCode = cocoaCode
        self.subject = subject
        self.message = message
        self.count = count
        self.examples = examples
    }
}
