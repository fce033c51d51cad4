import ManagedObjectModels
import MappingModels
import PersistentStores

extension TransferBuilder {
    /// The derived attributes whose values go over and stay true.
    var keptDerivations: Set<PropertyKey> {
        var result: Set<PropertyKey> = []
        for entity in destinationModel.entities {
            for attribute in entity.declaredAttributes where attribute.isDerived && staysTrue(attribute, of: entity) {
                result.insert(attribute.key)
            }
        }
        return result
    }

    /// Whether every row has the attribute already, and what it is derived from goes over as it is.
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
            // The old one speaks of the old names: the same means the same only where the names stayed.
            guard let former = correspondence.sourceAttribute(for: attribute.name, in: slot),
                former.description.derivation == attribute.description.derivation,
                let old = correspondence.sourceRelationship(for: name, in: slot), old.name == name,
                old.storage == new.storage
            else { return false }
            // Objects that go are counted no more, and what they were derived from is gone.
            let targets = TargetFilter(self, ofAll: old.destination, for: new.destination)
            return !targets.dropsSome && (value.map { isCopied($0, of: new.destination) } ?? true)
        }
    }

    /// Whether an attribute has the values that it had, in all objects of an entity.
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
