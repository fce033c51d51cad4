public import ManagedObjectModels
internal import MappingModels

extension ModelLinter {
    /// Compares versions with their shipped state, by the name of the version.
    ///
    /// - Parameters:
    ///   - versions: the current models.
    ///   - shipped: the shipped models; an `.xcdatamodeld` or a compiled `.momd`.
    ///   - label: the name of the state in messages.
    /// - Throws: `ModelError` if several versions of the shipped state match one of these. A version that cannot be
    ///   read in its current or shipped state is a finding.
    public static func findings(
        in versions: ModelVersions, against shipped: ModelVersions, label: String
    ) throws(ModelError) -> [LintFinding] {
        var findings: [LintFinding] = []
        for old in shipped.versions {
            guard let new = try counterpart(of: old, among: shipped, in: versions) else {
                guard let bundle = bundle(of: old, in: versions) else { continue }
                findings.append(
                    LintFinding(
                        .shippedVersionRemoved, version: old.description, file: bundle.path,
                        message: "the version \"\(old.name)\" was in \(label) and is gone"))
                continue
            }
            switch LintReading(new) {
            case .broken(let finding): findings.append(finding)
            case .sound(let subject):
                do throws(ModelError) {
                    findings += compare(try LintReading.subject(old), with: subject, label: label)
                } catch {
                    findings.append(
                        LintFinding(
                            .unreadableShippedVersion, version: new.description, file: new.documentPath,
                            message: "the version cannot be read as it was in \(label): \(error.reason)"))
                }
            }
        }
        return findings.sorted(by: LintFinding.precedes)
    }

    private static func compare(_ old: LintSubject, with new: LintSubject, label: String) -> [LintFinding] {
        let change = LintChange(from: old, to: new)
        let (former, current) = (ModelHashes.hashes(of: old.model), ModelHashes.hashes(of: new.model))
        var findings: [LintFinding] = []
        for name in Set(former.keys).union(current.keys).sorted() where former[name] != current[name] {
            let what = former[name] == nil ? "is new" : current[name] == nil ? "is gone" : "has another version hash"
            findings.append(
                change.finding(
                    .shippedVersionChanged, entity: name,
                    "since \(label) the entity \(what)\(properties(of: name, in: change.difference))"))
        }
        // Source and compiled forms contain different data besides the model; only equal forms can be compared further.
        guard findings.isEmpty, !change.difference.isEmpty, form(of: old.file) == form(of: new.file) else {
            return findings
        }
        let names = change.difference.entities.map { $0.name + properties(of: $0.name, in: change.difference) }
        return [
            change.finding(
                .shippedVersionEdited, entity: nil,
                "since \(label) the version was edited: \(names.isEmpty ? "beyond the entities" : names.joined(separator: ", "))"
            )
        ]
    }

    /// Returns the names of the parts that differ, in parentheses.
    private static func properties(of entity: String, in difference: ModelDifference) -> String {
        guard let found = difference.entities.first(where: { $0.name == entity || $0.formerName == entity }) else {
            return ""
        }
        let names = found.changes.map(\.facet.label) + found.properties.map(\.name)
        return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
    }

    private static func form(of file: String) -> Substring {
        file.hasSuffix(".mom") ? "mom" : file.split(separator: "/").last ?? ""
    }

    /// Returns the version with the same name: in the bundle with the same name, or otherwise in a renamed bundle,
    /// whose name no other bundle of the shipped state has.
    private static func counterpart(
        of old: ModelVersion, among shipped: ModelVersions, in versions: ModelVersions
    ) throws(ModelError) -> ModelVersion? {
        func bundles(_ versions: ModelVersions) -> Set<String?> { Set(versions.versions.map(bundleName)) }
        let present = bundles(versions)
        let named = versions.versions.filter { $0.name == old.name }
        if present.contains(bundleName(old)) { return named.first { bundleName($0) == bundleName(old) } }
        let before = bundles(shipped)
        let renamed = named.filter { !before.contains(bundleName($0)) }
        guard renamed.count == 1 else { return nil }
        let candidates = shipped.versions.filter { $0.name == old.name && !present.contains(bundleName($0)) }
        guard candidates.count == 1 else {
            throw ModelError(.severalModels(paths: candidates.map { $0.bundle?.path ?? $0.path }), path: shipped.path)
        }
        return renamed[0]
    }

    /// Returns the name of a version's bundle, even if only the version was named.
    private static func bundleName(_ version: ModelVersion) -> String? {
        let folder = version.path.split(separator: "/").dropLast().last ?? ""
        return version.bundle?.name
            ?? (folder.hasSuffix(".xcdatamodeld") ? String(folder.dropLast(".xcdatamodeld".count)) : nil)
    }

    private static func bundle(of old: ModelVersion, in versions: ModelVersions) -> ModelBundle? {
        versions.versions.lazy.compactMap(\.bundle).first { $0.name == old.bundle?.name }
    }
}
