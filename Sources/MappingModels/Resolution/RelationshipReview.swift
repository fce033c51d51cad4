internal import ManagedObjectModels

/// Checks that the relationships of a mapping model agree on both sides, so that the links of one side are also those
/// of the other, as a step of `ModelCorrespondence.init`.
struct RelationshipReview {
    let pairs: [EntityMappingPair]
    let source: ResolvedModel
    let destination: ResolvedModel

    var isInferable: Bool {
        pairs.allSatisfy { pair in
            pair.destination.relationships.allSatisfy { relationship in
                !relationship.isStored
                    || (isMadeByAll(relationship, of: pair) && agrees(relationship, of: pair))
            }
        }
    }

    /// Returns whether the relationship gets all objects at the other end of its links, from one or several mappings.
    private func isMadeByAll(_ relationship: ResolvedRelationship, of pair: EntityMappingPair) -> Bool {
        guard let name = pair.makers[relationship.name], let old = pair.origin(of: relationship) else { return true }
        guard pairs.contains(where: { $0.mapping.name == name }) else { return false }
        return pairs.allSatisfy { maker in
            maker.mapping.name == name || maker.source.isAbstract
                || !source.isKind(maker.source.slot, of: old.destination)
                || !destination.isKind(maker.destination.slot, of: relationship.destination)
        }
    }

    /// Returns whether the inverse, if a mapping specifies it, gets the links of the same relationship.
    private func agrees(_ relationship: ResolvedRelationship, of pair: EntityMappingPair) -> Bool {
        guard let inverse = relationship.inverse else { return true }
        let old = pair.origin(of: relationship)
        for other in pairs where destination.isKind(other.destination.slot, of: inverse.owner) {
            guard let back = other.destination.relationship(named: inverse.name), back.isStored,
                let oldBack = other.origin(of: back)
            else { continue }
            if let old {
                guard let oldInverse = old.inverse, oldInverse.owner == oldBack.owner, oldInverse.name == oldBack.name
                else { return false }
            } else if relationship.storage == .joinTable,
                source.isKind(pair.source.slot, of: oldBack.destination)
            {
                // Links that are specified only on the other side: a join table is filled from one side.
                guard !isNamed(relationship) else { return false }
            }
        }
        return true
    }

    /// Returns whether any mapping specifies a relationship.
    private func isNamed(_ relationship: ResolvedRelationship) -> Bool {
        pairs.contains { pair in
            destination.isKind(pair.destination.slot, of: relationship.owner)
                && pair.relationships[relationship.name] != nil
        }
    }
}
