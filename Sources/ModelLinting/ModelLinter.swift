public import ManagedObjectModels
public import MappingModels

/// Finds problems in models: in one version, between two versions, and compared with shipped versions.
public enum ModelLinter {
    /// Returns the problems of one version.
    ///
    /// If the version cannot be read, or is invalid, for example because of an unknown destination, that is a finding,
    /// too.
    ///
    /// - Parameters:
    ///   - version: the version to check.
    ///   - target: the target of the model, whose rules are checked as well.
    public static func findings(in version: ModelVersion, for target: LintTarget? = nil) -> [LintFinding] {
        let rules = ModelRule.all + (target == .swiftData ? ModelRule.swiftData : [])
        return switch LintReading(version) {
        case .broken(let finding): [finding]
        case .sound(let subject):
            (reading(subject) + rules.flatMap { $0.check(subject) }).sorted(by: LintFinding.precedes)
        }
    }

    /// Returns the risks between two versions, without the problems of either.
    ///
    /// Returns nothing if the newer one is invalid, which is a finding about that version.
    ///
    /// - Parameters:
    ///   - old: the version of existing stores.
    ///   - new: the version to which they are migrated.
    ///   - mapping: the mapping model for the step; nil if it is inferred. Changes that it handles are not findings,
    ///     but its own errors are.
    /// - Throws: `ModelError` if the older version cannot be read or is invalid.
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

    /// Returns the risks of the steps from every older version of the bundle, without duplicates, with the versions
    /// that have them.
    ///
    /// - Parameters:
    ///   - versions: the bundle's versions, the oldest first.
    ///   - new: the version to which stores are migrated.
    ///   - mapping: returns the mapping model for the step from a version; nil if it is inferred.
    /// - Throws: nothing: an older version that cannot be read or is invalid is a finding.
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

    /// Returns the problems of bundles themselves: missing versions, or no chosen current version.
    public static func findings(in versions: ModelVersions) -> [LintFinding] {
        let listing = Set(versions.knownHashes.map(\.bundlePath))
        let listed = versions.versions.filter { $0.bundle.map { listing.contains($0.path) } ?? false }
        let contradictions = listed.flatMap { version in
            // A version that cannot be read is reported when it is checked.
            (try? ResolvedModel(version.model())).map { version.contradictions(to: versions.knownHashes, model: $0) }
                ?? []
        }
        let damages = (versions.warnings + contradictions).compactMap {
            DocumentFindings(version: "", file: versions.path).finding($0)
        }
        return damages + versions.bundles.compactMap { withoutChoice($0, versions) }
    }

    /// Returns a finding for a bundle without a current version: Xcode does not build it, and its versions are checked
    /// only by name.
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
