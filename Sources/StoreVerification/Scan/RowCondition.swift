/// A condition that holds for the rows of a table that break a rule.
struct RowCondition {
    let rule: VerificationRule

    /// `Entity.property` or an entity.
    let subject: String

    /// More about the rule, such as the bound.
    var detail: String?

    /// What was found, once the rows were looked at.
    var found: (() -> String?)?

    var cocoaCode: Int?

    /// SQL over the scanned row; NULL counts as false.
    let condition: String

    /// What a repair does to such a row; nil if it can do nothing.
    var repair: RowRepair?
}
