public import ManagedObjectModels
public import MappingModels

/// Looks for problems in models: in one version, between two, and against what was shipped.
public enum ModelLinter {
    /// The problems of one version.
    ///
    /// That it cannot be read, or is not a model, as with a destination that it does not have, is a finding, too.
    ///
    /// - Parameters:
    ///   - version: the version that is looked at.
    ///   - target: what the model is to become; its rules are looked at too.
    public static func findings(in version: ModelVersion, for target: LintTarget? = nil) -> [LintFinding] {
        let rules = ModelRule.all + (target == .swiftData ? ModelRule.swiftData : [])
        return switch LintReading(version) {
        case .broken(let finding): [finding]
        case .sound(let subject):
            (reading(subject) + rules.flatMap { $0.check(subject) }).sorted(by: LintFinding.precedes)
        }
    }

    /// The risks between two versions, without the problems of either.
    ///
    /// Nothing where the newer one is broken, which is a finding of its own.
    ///
    /// - Parameters:
    ///   - old: the version that stores have.
    ///   - new: the version that they are migrated to.
    ///   - mapping: the mapping model that does the step; nil if it is inferred. What it takes care of is not a
    ///     finding, and what is wrong with it is one.
    /// - Throws: `ModelError` if the older version cannot be read or does not hold together.
    public static func findings(
        from old: ModelVersion, to new: ModelVersion, by mapping: MappingModelDocument? = nil
    ) throws(ModelError) -> [LintFinding] {
        guard case .sound(let destination) = LintReading(new) else { return [] }
        let source = try LintReading.subject(old)
        let change = LintChange(from: source, to: destination)
        let inferred = ChangeRule.all.flatMap { $0.check(change) }
        let findings = mapping.map { MappedChange(change, by: $0).findings(inferred) } ?? inferred
        return findings.sorted(by: LintFinding.precedes)
    }

    /// The risks of the steps from every older version of the bundle, each once, with the versions that have it.
    ///
    /// - Parameters:
    ///   - versions: the bundle's versions, the oldest first.
    ///   - new: the version that stores are migrated to.
    ///   - mapping: the mapping model that does the step from a version; nil if it is inferred.
    /// - Throws: nothing: an older version that cannot be read or does not hold together is a finding of its own.
    public static func findings(
        fromAll versions: ModelVersions, to new: ModelVersion,
        by mapping: (ModelVersion) -> MappingModelDocument? = { _ in nil }
    ) throws(ModelError) -> [LintFinding] {
        let siblings = versions.versions.filter { $0.bundle?.path == new.bundle?.path }
        guard let place = siblings.firstIndex(where: { $0.path == new.path }) else { return [] }
        var sources: [LintFinding: [String]] = [:]
        var broken: [LintFinding] = []
        for old in siblings[..<place] {
            if case .broken(let finding) = LintReading(old) {
                broken.append(finding)
                continue
            }
            for finding in try findings(from: old, to: new, by: mapping(old)) {
                sources[finding, default: []].append(old.name)
            }
        }
        let risks = sources.map { finding, names in
            LintFinding(
                finding.code, version: finding.version, entity: finding.entity, property: finding.property,
                file: finding.file, line: finding.line,
                message: "\(finding.message) (from \(names.joined(separator: ", ")))")
        }
        return (broken + risks).sorted(by: LintFinding.precedes)
    }

    /// What is wrong with bundles themselves: versions that are not there, a current version that no one chose.
    public static func findings(in versions: ModelVersions) -> [LintFinding] {
        let listing = Set(versions.knownHashes.map(\.bundlePath))
        let listed = versions.versions.filter { $0.bundle.map { listing.contains($0.path) } ?? false }
        let contradictions = listed.flatMap { version in
            // What cannot be read is a finding where the version is looked at.
            (try? ResolvedModel(version.model())).map { version.contradictions(to: versions.knownHashes, model: $0) }
                ?? []
        }
        let damages = (versions.warnings + contradictions).compactMap {
            DocumentFindings(version: "", file: versions.path).finding($0)
        }
        return damages + versions.bundles.compactMap { withoutChoice($0, versions) }
    }

    /// A bundle of which no version is current: Xcode does not build it, and its versions are checked only by name.
    private static func withoutChoice(_ bundle: ModelBundle, _ versions: ModelVersions) -> LintFinding? {
        guard bundle.currentVersionName == nil else { return nil }
        let names = versions.versions.filter { $0.bundle == bundle }.map(\.name)
        guard names.count > 1 else { return nil }
        return LintFinding(
            .damagedBundle, version: "", file: bundle.path,
            message: "no version is chosen as the current one, so only a version that is named is checked: "
                + names.joined(separator: ", "))
    }

    private static func reading(_ subject: LintSubject) -> [LintFinding] {
        let reader = DocumentFindings(version: subject.name, file: subject.file)
        return subject.document.warnings.compactMap { reader.finding($0) }
    }
}
