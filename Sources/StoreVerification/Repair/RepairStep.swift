/// A statement of a repair.
struct RepairStep {
    let rule: VerificationRule
    let subject: String
    let sql: String

    /// Rows of `Z_PK, Z_ENT` that it concerns, to name some; nil if they are not objects.
    var objects: (select: String, root: Int)?

    var removes: Bool { rule.removes }
}
