/// A statement of a repair.
struct RepairStep {
    let rule: VerificationRule
    let subject: String
    let sql: String

    /// A query for the `Z_PK, Z_ENT` of affected rows, to name examples; nil if they are not objects.
    var objects: (select: String, root: Int)?

    var removes: Bool { rule.removes }
}
