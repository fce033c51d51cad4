/// The rows that break one rule: how many, and some of them.
struct Tally {
    private(set) var count: Int64 = 0
    private(set) var examples: [String] = []
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// - Parameter example: asked only while examples are missing.
    mutating func add(_ number: Int64 = 1, _ example: () -> String?) {
        count += number
        if examples.count < limit, let example = example() { examples.append(example) }
    }

    /// nil if there is no row.
    func finding(
        _ rule: VerificationRule, subject: String, detail: String? = nil, cocoaCode: Int? = nil
    ) -> VerificationFinding? {
        guard count > 0 else { return nil }
        return VerificationFinding(
            rule, subject: subject, detail: detail, cocoaCode: cocoaCode, count: count, examples: examples)
    }
}
