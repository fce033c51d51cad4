/// A condition that holds for the rows of a table that break a rule.
struct RowCheck {
    let rule: VerificationRule

    /// `Entity.property` or an entity.
    let subject: String

    /// More about the rule, such as the bound.
    var detail: String?

    var cocoaCode: Int?

    /// SQL over the scanned row; NULL counts as false.
    let condition: String

    /// A value of the row that says more, and what is said of it: the rule that the row breaks, or none.
    var inspection: (value: String, rule: ([UInt8]) -> VerificationRule?)?
}
