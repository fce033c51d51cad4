import ManagedObjectModels
import MappingModels
import PersistentStores

extension ProgramBuilder {
    /// Derived attributes whose values may be others now are computed for all rows; then come the triggers.
    ///
    /// - Parameter isCustom: whether a mapping model makes the objects, so that nothing goes over by itself.
    func derivedSteps(isCustom: Bool = false) -> [MigrationStep] {
        let triggers = DerivedAttributeTriggers(layout: destination)
        var steps: [MigrationStep] = []
        for entity in destination.model.entities {
            for attribute in entity.declaredAttributes where attribute.isDerived {
                guard let sql = triggers.recomputations[attribute.key], isCustom || !staysTrue(attribute, of: entity)
                else { continue }
                steps.append(
                    MigrationStep(
                        phase: .derivedAttributes, table: destination.table(ofEntity: entity.slot)?.name ?? "",
                        summary: "compute \(entity.name).\(attribute.name)", work: .statement(sql)))
            }
        }
        return steps + triggers.statements.map {
            MigrationStep(
                phase: .derivedAttributes, table: "", summary: "trigger of a derived attribute", work: .statement($0))
        }
    }

    /// Whether every row has the attribute already, and what it is derived from goes over as it is.
    private func staysTrue(_ attribute: ResolvedAttribute, of entity: ResolvedEntity) -> Bool {
        let correspondence = builder.correspondence
        let parts = (attribute.description.derivationExpression ?? "").split(separator: ".").map(String.init)
        guard parts.count == 2, let new = entity.relationship(named: parts[0]) else { return false }
        return entity.subtree.allSatisfy { slot in
            guard correspondence.sourceSlot[slot] != nil else { return true }
            // The old text speaks of the old names: the same text means the same only where the names stayed.
            guard let former = correspondence.sourceAttribute(for: attribute.name, in: slot),
                former.description.derivationExpression == attribute.description.derivationExpression,
                let old = correspondence.sourceRelationship(for: parts[0], in: slot), old.name == parts[0],
                old.storage == new.storage
            else { return false }
            // Objects that go are counted no more, and what they were derived from is gone.
            let targets = TargetFilter(builder, ofAll: old.destination, for: new.destination)
            return !targets.dropsSome && (parts[1] == "@count" || isCopied(parts[1], of: new.destination))
        }
    }

    /// Whether an attribute has the values that it had, in all objects of an entity.
    private func isCopied(_ name: String, of slot: Int) -> Bool {
        builder.destinationModel.entities[slot].subtree.allSatisfy { heir in
            guard builder.correspondence.sourceSlot[heir] != nil else { return true }
            let former = builder.correspondence.sourceAttribute(for: name, in: heir)
            let isFilled = former?.isOptional == true
                && builder.destinationModel.entities[heir].attribute(named: name)?.isOptional == false
            return former?.name == name && !isFilled
        }
    }
}
