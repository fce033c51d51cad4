internal import ManagedObjectModels

extension ModelRule {
    /// Each relationship must have an inverse, and be the inverse of that.
    static let inverses = ModelRule(.missingInverse, .unknownInverse, .asymmetricalInverse) { subject in
        subject.relationships.compactMap { entity, relationship in
            let destination = subject.model.entities[relationship.destination]
            guard let name = relationship.description.inverseName else {
                return subject.finding(
                    .missingInverse, relationship.name, of: entity,
                    "the relationship to \(destination.name) has no inverse")
            }
            guard let inverse = subject.model.inverse(of: relationship) else {
                return subject.finding(
                    .unknownInverse, relationship.name, of: entity, "\(destination.name) has no relationship \(name)")
            }
            let target = subject.model.entities[inverse.destination]
            // An inverse may lead to a superentity or a subentity of the declaring entity.
            guard inverse.description.inverseName == relationship.name,
                subject.model.isKind(target.slot, of: entity.slot) || subject.model.isKind(entity.slot, of: target.slot)
            else {
                let other = inverse.description.inverseName.map { "\(target.name).\($0)" } ?? "none"
                return subject.finding(
                    .asymmetricalInverse, relationship.name, of: entity,
                    "the inverse of its inverse \(destination.name).\(name) is \(other)")
            }
            return nil
        }
    }
}
