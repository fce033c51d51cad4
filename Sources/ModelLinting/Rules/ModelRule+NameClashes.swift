internal import ManagedObjectModels

extension ModelRule {
    /// Columns are named in capitals, and file systems and older XML tools do not tell cases apart.
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
            // Inherited properties count: they are columns of the same table.
            let all =
                entity.attributes.filter { $0.elementIndex == 0 }.map { (name: $0.name, owner: $0.owner) }
                + entity.relationships.map { (name: $0.name, owner: $0.owner) }
                + entity.description.fetchedProperties.map { (name: $0.name, owner: entity.slot) }
            for (_, group) in Dictionary(grouping: all, by: { $0.name.lowercased() }) where group.count > 1 {
                for property in group.dropFirst() where group.contains(where: { $0.owner == entity.slot }) {
                    // The one that is declared here is the one that came later.
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

    /// A property that an entity declares although it inherits one of that name.
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

    /// Two things that are found by one renaming identifier, which is the name where none is set.
    static let renamingIdentifiers = ModelRule(.sharedRenamingIdentifier) { subject in
        /// Names with an identifier that an earlier one has; only where one of the two sets it.
        func doubles(_ all: [(name: String, identifier: String?)]) -> [(name: String, message: String)] {
            var names: [String: (name: String, isSet: Bool)] = [:]
            return all.compactMap { name, identifier in
                let key = identifier ?? name
                guard let other = names.updateValue((name, identifier != nil), forKey: key),
                    other.isSet || identifier != nil
                else { return nil }
                let (first, second) = identifier == nil ? (name, other.name) : (other.name, name)
                return (
                    second,
                    "\(first) has the \(other.isSet && identifier != nil ? "renaming identifier" : "name") \"\(key)\" "
                        + (other.isSet && identifier != nil ? "too" : "that is its renaming identifier")
                )
            }
        }
        var findings: [LintFinding] = []
        for double in doubles(subject.model.entities.map { ($0.name, $0.description.renamingIdentifier) }) {
            guard let entity = subject.model.entities.first(where: { $0.name == double.name }) else { continue }
            findings.append(subject.finding(.sharedRenamingIdentifier, entity, double.message))
        }
        for entity in subject.model.entities {
            let properties =
                entity.description.attributes.map { ($0.name, $0.renamingIdentifier) }
                + entity.description.relationships.map { ($0.name, $0.renamingIdentifier) }
            for double in doubles(properties) {
                findings.append(subject.finding(.sharedRenamingIdentifier, double.name, of: entity, double.message))
            }
        }
        return findings
    }

    /// Xcode's generated files would declare one class twice.
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
