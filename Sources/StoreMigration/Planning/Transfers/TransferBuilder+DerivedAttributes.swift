import ManagedObjectModels
import MappingModels
import PersistentStores

extension TransferBuilder {
    /// The derived attributes whose values are copied and stay correct.
    var keptDerivations: Set<PropertyKey> {
        var result: Set<PropertyKey> = []
        for entity in destinationModel.entities {
            for attribute in entity.declaredAttributes where attribute.isDerived && staysTrue(attribute, of: entity) {
                result.insert(attribute.key)
            }
        }
        return result
    }

    /// Returns whether every row already has the attribute, and the values from which it is derived are copied
    /// unchanged.
    private func staysTrue(_ attribute: ResolvedAttribute, of entity: ResolvedEntity) -> Bool {
        let name: String
        let value: String?
        switch attribute.description.derivation {
        case .count(let names)? where names.count == 1: (name, value) = (names[0], nil)
        case .path(let names)? where names.count == 2: (name, value) = (names[0], names[1])
        default: return false
        }
        guard let new = entity.relationship(named: name) else { return false }
        return entity.subtree.allSatisfy { slot in
            guard correspondence.sourceSlot[slot] != nil else { return true }
            // The old derivation uses the old names, so it is only equal if the names have not changed.
            guard let former = correspondence.sourceAttribute(for: attribute.name, in: slot),
                former.description.derivation == attribute.description.derivation,
                let old = correspondence.sourceRelationship(for: name, in: slot), old.name == name,
                old.storage == new.storage
            else { return false }
            // Objects that are removed are no longer counted, and values derived from them are lost.
            let targets = TargetFilter(self, ofAll: old.destination, for: new.destination)
            return !targets.dropsSome && (value.map { isCopied($0, of: new.destination) } ?? true)
        }
    }

    /// Returns whether an attribute keeps its values in all objects of an entity.
    private func isCopied(_ name: String, of slot: Int) -> Bool {
        destinationModel.entities[slot].subtree.allSatisfy { heir in
            guard correspondence.sourceSlot[heir] != nil else { return true }
            let former = correspondence.sourceAttribute(for: name, in: heir)
            let isFilled =
                former?.isOptional == true
                && destinationModel.entities[heir].attribute(named: name)?.isOptional == false
            return former?.name == name && !isFilled
        }
    }
}
