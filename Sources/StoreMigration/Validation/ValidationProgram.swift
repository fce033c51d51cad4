import ObjectValidation

/// What is to be validated of a result, and what becomes of objects that break a rule.
struct ValidationProgram: Sendable {
    let origins: [CopiedValues]
    let policy: InvalidObjectPolicy

    /// Whether required attributes are looked at: the plan of a mapping model has done so before any row was written.
    let looksForMissingValues: Bool

    func findings(
        _ objects: InvalidObjects, subject: String, fault: ValidationFault, detail: String?
    ) -> [MigrationFinding] {
        var result: [MigrationFinding] = []
        let rule = fault.rule + (detail.map { " (\($0))" } ?? "")
        if objects.count > 0 {
            let advice = policy == .refuse ? "; correct what computes it, or write it with --invalid report" : ""
            let severity: MigrationFinding.Severity = policy == .refuse ? .error : .warning
            result.append(
                MigrationFinding(
                    severity, "invalid-object", cocoaCode: fault.code, subject: subject,
                    message: rule + advice, count: objects.count, examples: objects.examples, values: objects.values))
        }
        if objects.copied > 0 {
            result.append(
                MigrationFinding(
                    .note, "invalid-object-copied", cocoaCode: fault.code, subject: subject,
                    message: rule + ": the source has it so, and it is kept", count: objects.copied))
        }
        return result
    }
}
