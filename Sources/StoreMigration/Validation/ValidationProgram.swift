import ObjectValidation

/// The validation of a result, and the policy for objects that violate a rule.
struct ValidationProgram: Sendable {
    let origins: [CopiedValues]
    let policy: InvalidObjectPolicy

    /// Whether required attributes are checked. The plan of a mapping model has checked them before any row was
    /// written.
    let looksForMissingValues: Bool

    /// The one-to-one relationships that the mapping model or a policy sets.
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
    /// The severity of violations.
    var severity: MigrationFinding.Severity { self == .refuse ? .error : .warning }

    /// Returns the finding about objects that were created in violation of a rule, without their number.
    func finding(of fault: ValidationFault, _ detail: String?, subject: String) -> MigrationFinding {
        let advice = self == .refuse ? "; correct what computes it, or write it with --invalid report" : ""
        return MigrationFinding(
            severity, "invalid-object", cocoaCode: fault.code, subject: subject,
            message: fault.rule(detail) + advice)
    }
}

extension ValidationFault {
    /// Returns the rule, followed by its value in the model in parentheses.
    func rule(_ detail: String?) -> String { rule + (detail.map { " (\($0))" } ?? "") }
}
