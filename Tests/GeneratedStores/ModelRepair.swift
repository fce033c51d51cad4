import ManagedObjectModels

/// Makes a model out of random parts one that Xcode would compile: what does not fit is left out.
enum ModelRepair {
    static func repaired(_ model: ManagedObjectModel) -> ManagedObjectModel {
        var model = model
        repairHierarchy(&model)
        repairNames(&model)
        repairInverses(&model)
        repairReferences(&model)
        return model
    }

    /// The entity itself and those above it, nearest first.
    static func lineage(of name: String, in model: ManagedObjectModel) -> [EntityDescription] {
        var result: [EntityDescription] = []
        var next: String? = name
        while let name = next, let entity = model.entity(named: name), !result.contains(where: { $0.name == name }) {
            result.append(entity)
            next = entity.superentityName
        }
        return result
    }

    private static func repairHierarchy(_ model: inout ManagedObjectModel) {
        for entity in model.entities {
            guard let parent = entity.superentityName else { continue }
            let ancestors = lineage(of: parent, in: model)
            let isCyclic = ancestors.contains { $0.name == entity.name }
            let ends = ancestors.last?.superentityName == nil
            if ancestors.isEmpty || isCyclic || !ends, let index = index(of: entity.name, in: model) {
                model.entities[index].superentityName = nil
            }
        }
    }

    /// No name twice among an entity's properties, inherited ones included; case does not tell names apart in SQLite.
    private static func repairNames(_ model: inout ManagedObjectModel) {
        let byDepth = model.entities.sorted {
            lineage(of: $0.name, in: model).count < lineage(of: $1.name, in: model).count
        }
        for entity in byDepth {
            guard let index = index(of: entity.name, in: model) else { continue }
            var taken: Set<String> = []
            for ancestor in lineage(of: entity.name, in: model).dropFirst() {
                taken.formUnion(ancestor.attributes.map { $0.name.uppercased() })
                taken.formUnion(ancestor.relationships.map { $0.name.uppercased() })
            }
            model.entities[index].attributes.removeAll { !taken.insert($0.name.uppercased()).inserted }
            model.entities[index].relationships.removeAll { !taken.insert($0.name.uppercased()).inserted }
        }
    }

    /// An inverse is answered by its inverse, or it is none.
    private static func repairInverses(_ model: inout ManagedObjectModel) {
        for index in model.entities.indices {
            let whole = model
            model.entities[index].relationships.removeAll { whole.entity(named: $0.destinationEntityName) == nil }
        }
        let before = model
        for index in model.entities.indices {
            let owner = model.entities[index].name
            for place in model.entities[index].relationships.indices {
                let relationship = model.entities[index].relationships[place]
                guard let name = relationship.inverseName else { continue }
                let target = before.entity(named: relationship.destinationEntityName)
                let inverse = target?.relationships.first { $0.name == name }
                let isAnswered = inverse?.inverseName == relationship.name && inverse?.destinationEntityName == owner
                if !isAnswered { model.entities[index].relationships[place].inverseName = nil }
            }
        }
    }

    /// Constraints, indexes and derivations name what is there.
    private static func repairReferences(_ model: inout ManagedObjectModel) {
        let before = model
        for index in model.entities.indices {
            let lineage = lineage(of: model.entities[index].name, in: before)
            let attributes = lineage.flatMap(\.attributes)
            let relationships = lineage.flatMap(\.relationships)
            func isStored(_ name: String) -> Bool {
                attributes.contains { $0.name == name && !$0.isTransient && !$0.isDerived && $0.type != .composite }
            }
            model.entities[index].uniquenessConstraints.removeAll { !$0.allSatisfy(isStored) }
            model.entities[index].fetchIndexes.removeAll { index in
                !index.elements.allSatisfy { $0.propertyName.map(isStored) ?? false }
            }
            // Only the text of a derivation enters the version hash: another type would not be another version.
            for place in model.entities[index].attributes.indices {
                guard let derivation = model.entities[index].attributes[place].derivationExpression else { continue }
                if derivation == "now()" { model.entities[index].attributes[place].type = .date }
                if derivation.hasSuffix(".@count") { model.entities[index].attributes[place].type = .integer64 }
            }
            model.entities[index].attributes.removeAll { attribute in
                guard let derivation = attribute.derivationExpression, derivation != "now()" else { return false }
                let parts = derivation.split(separator: ".").map(String.init)
                guard parts.count == 2, let relationship = relationships.first(where: { $0.name == parts[0] }) else {
                    return true
                }
                let target = ModelRepair.lineage(of: relationship.destinationEntityName, in: before)
                if parts[1] == "@count" {
                    let inverse = target.flatMap(\.relationships).first { $0.name == relationship.inverseName }
                    return !relationship.isToMany || inverse?.isToMany ?? true
                }
                return relationship.isToMany
                    || !target.flatMap(\.attributes).contains {
                        $0.name == parts[1] && $0.type == attribute.type && !$0.isTransient && !$0.isDerived
                    }
            }
        }
    }

    private static func index(of name: String, in model: ManagedObjectModel) -> Int? {
        model.entities.firstIndex { $0.name == name }
    }
}
