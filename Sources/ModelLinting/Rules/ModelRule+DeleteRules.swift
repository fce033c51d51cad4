internal import ManagedObjectModels

extension ModelRule {
    /// Xcode's compiler also warns about this.
    static let noAction = ModelRule(.noActionRule) { subject in
        subject.relationships.compactMap { entity, relationship in
            guard relationship.description.deleteRule == .noAction, relationship.isStored else { return nil }
            return subject.finding(
                .noActionRule, relationship.name, of: entity, "the delete rule is No Action")
        }
    }

    /// Both sides cascade. A pair of to-one relationships is allowed: there the two objects belong together.
    static let mutualCascades = ModelRule(.mutualCascade) { subject in
        subject.relationships.compactMap { entity, relationship in
            guard relationship.cascades, let inverse = subject.model.inverse(of: relationship), inverse.cascades,
                relationship.isToMany || inverse.isToMany
            else { return nil }
            // Once per pair: on the to-many side, or on the first of two equal sides.
            let isFirst = (relationship.owner, relationship.name) <= (inverse.owner, inverse.name)
            guard relationship.isToMany == inverse.isToMany ? isFirst : !relationship.isToMany else { return nil }
            let other = subject.model.entities[inverse.owner].name
            return subject.finding(
                .mutualCascade, relationship.name, of: entity,
                "both this and its inverse \(other).\(inverse.name) cascade")
        }
    }

    static let sharedCascades = ModelRule(.sharedCascade) { subject in
        subject.relationships.compactMap { entity, relationship in
            guard relationship.cascades, relationship.isToMany, let inverse = subject.model.inverse(of: relationship),
                inverse.isToMany, !inverse.cascades
            else { return nil }
            let destination = subject.model.entities[relationship.destination].name
            return subject.finding(
                .sharedCascade, relationship.name, of: entity,
                "a deletion takes along each \(destination) of the object, which others may have too")
        }
    }

    /// Nullify removes the destination of a required inverse.
    static let requiredInverses = ModelRule(.nullifiedRequiredInverse) { subject in
        subject.relationships.compactMap { entity, relationship in
            guard relationship.description.deleteRule == .nullify, relationship.isStored,
                let inverse = subject.model.inverse(of: relationship), !inverse.isToMany, !inverse.isOptional,
                inverse.isStored
            else { return nil }
            let destination = subject.model.entities[inverse.owner].name
            return subject.finding(
                .nullifiedRequiredInverse, relationship.name, of: entity,
                "a deletion empties the required \(destination).\(inverse.name)")
        }
    }
}

extension ResolvedRelationship {
    var cascades: Bool { description.deleteRule == .cascade && isStored }
}
