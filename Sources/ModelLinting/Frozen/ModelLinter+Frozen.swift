public import ManagedObjectModels

extension ModelLinter {
    /// Compares versions with their frozen hashes: each declaration that has changed a hash is a finding on its line.
    public static func findings(in versions: ModelVersions, frozen: FrozenVersions) -> [LintFinding] {
        var findings: [LintFinding] = []
        for old in frozen.versions {
            guard let new = versions.versions.first(where: { $0.description == old.name || $0.name == old.name }) else {
                findings.append(
                    LintFinding(
                        .shippedVersionRemoved, version: old.name, file: frozen.path ?? versions.path,
                        message: "the version \"\(old.name)\" is frozen and is gone"))
                continue
            }
            switch LintReading(new) {
            case .broken(let finding): findings.append(finding)
            case .sound(let subject): findings += changes(since: old, in: subject)
            }
        }
        return findings.sorted(by: LintFinding.precedes)
    }

    private static func changes(since old: FrozenVersion, in subject: LintSubject) -> [LintFinding] {
        let current = ModelHashes.hashes(of: subject.model)
        let properties = ModelHashes.propertyHashes(of: subject.model)
        let frozen = Dictionary(old.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return Set(frozen.keys).union(current.keys).sorted().flatMap { name -> [LintFinding] in
            guard let entity = frozen[name] else {
                return [subject.shipped(name, nil, "the entity is new in a version that was shipped")]
            }
            guard let hash = current[name] else {
                return [subject.shipped(name, nil, "the entity was shipped in this version and is gone")]
            }
            if hash == entity.hash { return [] }
            let now = properties[name] ?? [:]
            let changed = Set(entity.properties.keys).union(now.keys).sorted().filter {
                entity.properties[$0] != now[$0]
            }
            if changed.isEmpty {
                return [
                    subject.shipped(
                        name, nil,
                        "the version hash has changed: the parent, the uniqueness constraints, the hash modifier or "
                            + "whether it is abstract are not those that were shipped")
                ]
            }
            return changed.map { property in
                let what =
                    entity.properties[property] == nil
                    ? "is new in a version that was shipped"
                    : now[property] == nil
                        ? "was shipped in this version and is gone" : "is not declared as it was shipped"
                return subject.shipped(
                    name, property, "the property \(what), so that stores of this version do not open")
            }
        }
    }
}

extension LintSubject {
    /// Returns a finding about a change; for a removed property, on the line of its entity.
    fileprivate func shipped(_ entity: String, _ property: String?, _ message: String) -> LintFinding {
        let element = property.map { ModelElement.property($0, entity: entity) }
        let isThere = element.map { document.lines[$0] != nil } ?? false
        return finding(
            .shippedVersionChanged, entity: entity, property: property,
            at: isThere ? element ?? .entity(entity) : .entity(entity), message)
    }
}
