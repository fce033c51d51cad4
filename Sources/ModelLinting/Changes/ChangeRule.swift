/// A rule for the step from one version to another.
struct ChangeRule: Sendable {
    /// The codes of its possible findings.
    let codes: [LintCode]

    let check: @Sendable (LintChange) -> [LintFinding]

    init(_ codes: LintCode..., check: @escaping @Sendable (LintChange) -> [LintFinding]) {
        self.codes = codes
        self.check = check
    }

    /// The rules, in the order of their codes. To add a rule, add a value to this list.
    static let all: [ChangeRule] = [losses, inference, possibleRenames, equalHashes]
}
