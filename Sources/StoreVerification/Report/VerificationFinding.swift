/// What is wrong with a store in one respect, and where.
public struct VerificationFinding: Sendable, Hashable, Codable {
    /// How serious a finding is.
    public enum Severity: String, Sendable, Codable, Comparable, CaseIterable {
        /// Worth knowing; nothing is wrong.
        case note
        /// Core Data works with it, and somebody should look.
        case warning
        /// Core Data would fail, or show something else than what is stored.
        case error

        public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// How serious the finding is.
    public let severity: Severity

    /// The rule's code, such as `dangling-reference`.
    public let code: String

    /// Cocoa's error number; nil if it has none.
    public let cocoaCode: Int?

    /// `Entity.property`, an entity, or a table; nil if it is about the file.
    public let subject: String?

    /// What is wrong, as a sentence without a capital and a full stop.
    public let message: String

    /// How many objects, rows or files are concerned.
    public let count: Int64

    /// URIs of some of the objects; names of files; SQLite's own words.
    public let examples: [String]

    /// The same with fewer examples.
    func limited(to limit: Int) -> VerificationFinding {
        guard let rule, examples.count > limit else { return self }
        return VerificationFinding(
            rule, subject: subject, message: message, cocoaCode: cocoaCode, count: count,
            examples: Array(examples.prefix(limit)))
    }

    /// The same as a store has it that is read and written as a whole.
    var inAtomicStore: VerificationFinding {
        guard let rule, rule.inAtomicStore != rule else { return self }
        return VerificationFinding(rule.inAtomicStore, subject: subject, count: count, examples: examples)
    }

    /// The finding for a store of which no version of the model is known.
    public static func unknownModel(_ reason: String) -> VerificationFinding {
        VerificationFinding(.modelUnknown, detail: reason)
    }

    /// A finding in words of its own.
    init(_ rule: VerificationRule, message: String) {
        self.init(rule, subject: nil, message: message, cocoaCode: rule.cocoaCode, count: 1, examples: [])
    }

    /// The rule that found it; nil for a code that this version does not know.
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
