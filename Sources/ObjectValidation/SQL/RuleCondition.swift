/// A rule as SQL: a condition that holds for the rows that break it.
public struct RuleCondition: Sendable {
    /// What is wrong with the rows.
    public let fault: ValidationFault

    /// SQL over the row; NULL counts as false.
    public let sql: String

    /// More about the rule, such as "at most 65"; nil if there is none.
    public let detail: String?

    /// SQL of the allowed value that is nearest; nil if there is no such.
    public let nearest: String?
}
