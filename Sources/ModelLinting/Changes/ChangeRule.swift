/// A rule for the step from one version to another.
struct ChangeRule: Sendable {
    /// All that it can find.
    let codes: [LintCode]

    let check: @Sendable (LintChange) -> [LintFinding]

    init(_ codes: LintCode..., check: @escaping @Sendable (LintChange) -> [LintFinding]) {
        self.codes = codes
        self.check = check
    }

    /// The rules, in the order of their codes. A rule is added by a value in this list.
    static let all: [ChangeRule] = [losses, inference, possibleRenames, equalHashes]
}
