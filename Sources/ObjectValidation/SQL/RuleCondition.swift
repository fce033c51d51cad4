/// A rule as an SQL condition for the rows that violate it.
public struct RuleCondition: Sendable {
    /// The fault of the rows.
    public let fault: ValidationFault

    /// The SQL condition over the row; NULL counts as false.
    public let sql: String

    /// Details of the rule, such as "at most 65"; nil if there are none.
    public let detail: String?

    /// The SQL of the nearest allowed value; nil if there is none.
    public let nearest: String?
}
