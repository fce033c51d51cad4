internal import ManagedObjectModels
import MappingModels

extension ModelRule {
    /// Column names are in upper case, and file systems and older XML tools may ignore case.
    static let namesInCase = ModelRule(.namesDifferInCase) { subject in
        var findings: [LintFinding] = []
        var entities: [String: String] = [:]
        for entity in subject.model.entities {
            let folded = entity.name.lowercased()
            if let other = entities[folded] {
                findings.append(
                    subject.finding(.namesDifferInCase, entity, "the name differs from that of \(other) only in case"))
            } else {
                entities[folded] = entity.name
            }
            // Inherited properties are included, since they are columns of the same table.
            let all =
                entity.attributes.filter { $0.elementIndex == 0 }.map { (name: $0.name, owner: $0.owner) }
                + entity.relationships.map { (name: $0.name, owner: $0.owner) }
                + entity.description.fetchedProperties.map { (name: $0.name, owner: entity.slot) }
            for (_, group) in Dictionary(grouping: all, by: { $0.name.lowercased() }) where group.count > 1 {
                for property in group.dropFirst() where group.contains(where: { $0.owner == entity.slot }) {
                    // The property that is declared here was added later.
                    let own = property.owner == entity.slot ? property.name : group[0].name
                    let other = property.owner == entity.slot ? group[0].name : property.name
                    guard own != other else { continue }
                    findings.append(
                        subject.finding(
                            .namesDifferInCase, own, of: entity, "the name differs from that of \(other) only in case"))
                }
            }
        }
        return findings
    }

    /// Properties that an entity declares although it inherits one with the same name.
    static let redeclarations = ModelRule(.redeclaredProperty) { subject in
        subject.model.entities.flatMap { entity -> [LintFinding] in
            guard let parent = entity.superentity.map({ subject.model.entities[$0] }) else { return [] }
            let inherited = Dictionary(
                parent.attributes.map { ($0.outermostName, $0.owner) }
                    + parent.relationships.map { ($0.name, $0.owner) },
                uniquingKeysWith: { first, _ in first })
            let names = entity.description.attributes.map(\.name) + entity.description.relationships.map(\.name)
            return names.compactMap { name in
                guard let owner = inherited[name] else { return nil }
                return subject.finding(
                    .redeclaredProperty, name, of: entity,
                    "\(subject.model.entities[owner].name), from which the entity inherits, has a property of this name"
                )
            }
        }
    }

    /// Two parts with the same renaming identifier, which is the name by default.
    static let renamingIdentifiers = ModelRule(.sharedRenamingIdentifier) { subject in
        func candidates(_ all: [(name: String, identifier: String?)]) -> [NamePairing.Candidate] {
            all.map { NamePairing.Candidate(name: $0.name, renamingIdentifier: $0.identifier) }
        }
        /// Returns the problem, and which of the two has it; nil if neither has an identifier, since duplicate names
        /// are reported elsewhere.
        func problem(
            _ candidate: NamePairing.Candidate, _ other: NamePairing.Candidate
        ) -> (name: String, message: String)? {
            guard candidate.isIdentified || other.isIdentified else { return nil }
            let key = candidate.identifier
            let (first, second) = candidate.isIdentified ? (other, candidate) : (candidate, other)
            return first.isIdentified
                ? (second.name, "\(first.name) has the renaming identifier \"\(key)\" too")
                : (second.name, "\(first.name) has the name \"\(key)\" that is its renaming identifier")
        }
        var findings: [LintFinding] = []
        let entities = candidates(subject.model.entities.map { ($0.name, $0.description.renamingIdentifier) })
        for problem in NamePairing.Candidate.doubles(entities).compactMap(problem) {
            guard let entity = subject.model.entities.first(where: { $0.name == problem.name }) else { continue }
            findings.append(subject.finding(.sharedRenamingIdentifier, entity, problem.message))
        }
        for entity in subject.model.entities {
            let properties = candidates(
                entity.description.attributes.map { ($0.name, $0.renamingIdentifier) }
                    + entity.description.relationships.map { ($0.name, $0.renamingIdentifier) })
            for problem in NamePairing.Candidate.doubles(properties).compactMap(problem) {
                findings.append(subject.finding(.sharedRenamingIdentifier, problem.name, of: entity, problem.message))
            }
        }
        return findings
    }

    /// The files that Xcode generates would declare a class twice.
    static let generatedClasses = ModelRule(.duplicateClass) { subject in
        var owners: [String: String] = [:]
        return subject.model.entities.compactMap { entity in
            guard entity.description.codeGenerationType == "class",
                let name = entity.description.managedObjectClassName
            else { return nil }
            guard let other = owners.updateValue(entity.name, forKey: name) else { return nil }
            return subject.finding(.duplicateClass, entity, "the class \(name) is generated for \(other) too")
        }
    }
}
