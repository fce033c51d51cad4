import ObjectValidation

/// What is to be validated of a result, and what becomes of objects that break a rule.
struct ValidationProgram: Sendable {
    let origins: [CopiedValues]
    let policy: InvalidObjectPolicy

    /// Whether required attributes are looked at: the plan of a mapping model has done so before any row was written.
    let looksForMissingValues: Bool

    /// The one-to-one relationships that the mapping model or a policy fills.
    var oneToOnes: [OneToOneRule] = []

    func findings(
        _ objects: InvalidObjects, subject: String, fault: ValidationFault, detail: String?
    ) -> [MigrationFinding] {
        var result: [MigrationFinding] = []
        if objects.count > 0 {
            let finding = policy.finding(of: fault, detail, subject: subject)
            result.append(finding.about(objects.count, objects.examples, values: objects.values))
        }
        if objects.copied > 0 {
            result.append(
                MigrationFinding(
                    .note, "invalid-object-copied", cocoaCode: fault.code, subject: subject,
                    message: fault.rule(detail) + ": the source has it so, and it is kept", count: objects.copied))
        }
        return result
    }
}

extension InvalidObjectPolicy {
    /// How grave it is that objects break a rule.
    var severity: MigrationFinding.Severity { self == .refuse ? .error : .warning }

    /// What is said of objects that are made so that they break a rule, without how many there are.
    func finding(of fault: ValidationFault, _ detail: String?, subject: String) -> MigrationFinding {
        let advice = self == .refuse ? "; correct what computes it, or write it with --invalid report" : ""
        return MigrationFinding(
            severity, "invalid-object", cocoaCode: fault.code, subject: subject,
            message: fault.rule(detail) + advice)
    }
}

extension ValidationFault {
    /// The rule, and in parentheses what it is in the model.
    func rule(_ detail: String?) -> String { rule + (detail.map { " (\($0))" } ?? "") }
}
