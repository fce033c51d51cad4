internal import ManagedObjectModels

/// The relationships of a model, each combined with its inverse.
struct RelationshipPairs {
    struct Pair {
        let relationship: ResolvedRelationship
        /// nil if there is none, or if the inverse belongs to another relationship.
        let inverse: ResolvedRelationship?
    }

    let pairs: [Pair]

    init(_ model: ResolvedModel) {
        pairs = model.entities.flatMap { entity in
            entity.declaredRelationships.compactMap { relationship -> Pair? in
                guard let inverse = model.inverse(of: relationship), let back = inverse.inverse,
                    back.owner == relationship.owner, back.name == relationship.name
                else { return Pair(relationship: relationship, inverse: nil) }
                if relationship.isSelfInverse { return Pair(relationship: relationship, inverse: relationship) }
                // Once for both, with the side that comes first.
                let isFirst = (relationship.owner, relationship.name) < (inverse.owner, inverse.name)
                return isFirst ? Pair(relationship: relationship, inverse: inverse) : nil
            }
        }
    }
}
