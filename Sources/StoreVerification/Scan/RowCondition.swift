/// A condition for the rows of a table that violate a rule.
struct RowCondition {
    let rule: VerificationRule

    /// `Entity.property` or an entity.
    let subject: String

    /// More about the rule, such as the bound.
    var detail: String?

    /// Returns details of what was found, after the rows have been read.
    var found: (() -> String?)?

    var cocoaCode: Int?

    /// The SQL condition over the scanned row; NULL counts as false.
    let condition: String

    /// The repair of such a row; nil if there is none.
    var repair: RowRepair?
}
