internal import ManagedObjectModels

/// Whether the relationships of a mapping model say the same on both sides, so that the links of one of them are those
/// of both. A step of `ModelCorrespondence.init`.
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

    /// Whether all objects that the links lead to are meant, be they made by one mapping or by several.
    private func isMadeByAll(_ relationship: ResolvedRelationship, of pair: EntityMappingPair) -> Bool {
        guard let name = pair.makers[relationship.name], let old = pair.origin(of: relationship) else { return true }
        guard pairs.contains(where: { $0.mapping.name == name }) else { return false }
        return pairs.allSatisfy { maker in
            maker.mapping.name == name || maker.source.isAbstract
                || !source.isKind(maker.source.slot, of: old.destination)
                || !destination.isKind(maker.destination.slot, of: relationship.destination)
        }
    }

    /// Whether the inverse, where a mapping says something of it, has the links of the same relationship.
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
                // Links that only the other side names: a join table takes those of one side.
                guard !isNamed(relationship) else { return false }
            }
        }
        return true
    }

    /// Whether any mapping says something of a relationship.
    private func isNamed(_ relationship: ResolvedRelationship) -> Bool {
        pairs.contains { pair in
            destination.isKind(pair.destination.slot, of: relationship.owner)
                && pair.relationships[relationship.name] != nil
        }
    }
}
