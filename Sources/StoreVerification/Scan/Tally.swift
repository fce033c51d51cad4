/// The rows that violate one rule: their number, and examples.
struct Tally {
    private(set) var count: Int64 = 0
    private(set) var examples: [String] = []
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// - Parameter example: called only while more examples are needed.
    mutating func add(_ number: Int64 = 1, _ example: () -> String?) {
        count += number
        if examples.count < limit, let example = example() { examples.append(example) }
    }

    /// Returns nil if there are no rows.
    func finding(
        _ rule: VerificationRule, subject: String, detail: String? = nil, cocoaCode: Int? = nil
    ) -> VerificationFinding? {
        guard count > 0 else { return nil }
        return VerificationFinding(
            rule, subject: subject, detail: detail, cocoaCode: cocoaCode, count: count, examples: examples)
    }
}
