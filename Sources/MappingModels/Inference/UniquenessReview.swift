internal import ManagedObjectModels

/// Finds uniqueness constraints that the data may not satisfy yet, as a step of `InferenceReview`.
struct UniquenessReview {
    let correspondence: ModelCorrespondence

    func failures() -> [InferenceFailure] {
        var result: [InferenceFailure] = []
        for entity in correspondence.destination.entities {
            for constraint in entity.description.uniquenessConstraints
            where !constraint.isEmpty && isNew(constraint, of: entity) {
                result.append(
                    InferenceFailure(
                        .newUniquenessConstraint(properties: constraint), entity: entity.name,
                        property: constraint.count == 1 ? constraint[0] : nil,
                        sourceEntity: correspondence.sourceEntity(of: entity.slot)?.name))
            }
        }
        return result
    }

    /// Returns whether a constraint is new. It applies to the objects of the entity and its subentities together, and
    /// is already satisfied if all of them come from objects that one constraint of the source, over the same values,
    /// applied to together.
    private func isNew(_ constraint: [String], of entity: ResolvedEntity) -> Bool {
        var owners: Set<Int> = []
        for slot in entity.subtree {
            guard let old = correspondence.sourceEntity(of: slot), !old.isAbstract else { continue }
            guard let former = formerNames(of: constraint, in: slot), let owner = owner(of: former, from: old.slot)
            else { return true }
            owners.insert(owner)
        }
        return owners.count > 1
    }

    /// Returns the names in the source; nil if a value is new, or if a default value replaces missing values.
    private func formerNames(of constraint: [String], in slot: Int) -> Set<String>? {
        var result: Set<String> = []
        let entity = correspondence.destination.entities[slot]
        for name in constraint {
            if let attribute = entity.attribute(named: name) {
                guard let former = correspondence.sourceAttribute(for: name, in: slot),
                    !former.isOptional || attribute.isOptional
                else { return nil }
                result.insert(former.name)
            } else if let former = correspondence.sourceRelationship(for: name, in: slot) {
                result.insert(former.name)
            } else {
                return nil
            }
        }
        return result
    }

    /// Returns the topmost entity with such a constraint, which applies to all its subentities together.
    private func owner(of names: Set<String>, from slot: Int) -> Int? {
        // A constraint over a subset of the values is stronger.
        correspondence.source.uniquenessConstraints(of: slot).last { names.isSuperset(of: $0.properties) }?.entity
    }
}
