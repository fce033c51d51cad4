public import ManagedObjectModels

/// Looks for problems in models: in one version, between two, and against what was shipped.
public enum ModelLinter {
    /// The problems of one version.
    ///
    /// A model that is none, such as one with a destination that it does not have, is a finding. Throws `ModelError`
    /// where the file cannot be read at all.
    public static func findings(in version: ModelVersion) throws(ModelError) -> [LintFinding] {
        switch try LintReading(version) {
        case .broken(let finding): [finding]
        case .sound(let subject):
            (reading(subject) + ModelRule.all.flatMap { $0.check(subject) }).sorted(by: LintFinding.precedes)
        }
    }

    /// The risks between two versions, without the problems of either.
    ///
    /// Nothing where the newer one is broken, which is a finding of its own. Throws `ModelError` where a version cannot
    /// be read, or the older one is broken.
    public static func findings(from old: ModelVersion, to new: ModelVersion) throws(ModelError) -> [LintFinding] {
        guard case .sound(let destination) = try LintReading(new) else { return [] }
        let source = try LintReading.subject(old)
        let change = LintChange(from: source, to: destination)
        return ChangeRule.all.flatMap { $0.check(change) }.sorted(by: LintFinding.precedes)
    }

    /// What is wrong with bundles themselves: a current version that is not there.
    public static func findings(in versions: ModelVersions) -> [LintFinding] {
        versions.warnings.compactMap { DocumentFindings(version: "", file: versions.path).finding($0) }
    }

    private static func reading(_ subject: LintSubject) -> [LintFinding] {
        let reader = DocumentFindings(version: subject.name, file: subject.file)
        return subject.document.warnings.compactMap { reader.finding($0) }
    }
}
