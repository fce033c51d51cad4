internal import ManagedObjectModels

extension ModelRule {
    /// Minimum and maximum numbers of destinations.
    static let counts = ModelRule(.requiredWithoutLowerLimit, .emptyCountRange) { subject in
        subject.relationships.compactMap { entity, relationship in
            let description = relationship.description
            let (least, most) = (description.minimumCount, description.maximumCount)
            if least < 0 || most < 0 {
                return subject.finding(
                    .emptyCountRange, relationship.name, of: entity, "a count is negative: \(least) to \(most)")
            }
            if most > 0, most < least {
                return subject.finding(
                    .emptyCountRange, relationship.name, of: entity,
                    "the maximum count \(most) is below the minimum count \(least)")
            }
            // SwiftData's to-many relationships are usually required, which does not imply a minimum.
            guard description.isToMany, !description.isOptional, least == 0, !description.isTransient,
                subject.document.files.isEmpty
            else { return nil }
            return subject.finding(
                .requiredWithoutLowerLimit, relationship.name, of: entity,
                "the to-many relationship is required, and its lower limit is 0")
        }
    }

    /// A compiled model has only counts: there a maximum of 1 means to-one.
    static let cardinalities = ModelRule(.contradictoryCardinality, .orderedToOne) { subject in
        subject.relationships.compactMap { entity, relationship in
            let description = relationship.description
            if description.isToMany, description.maximumCount == 1 {
                return subject.finding(
                    .contradictoryCardinality, relationship.name, of: entity,
                    "it is to-many, and its maximum count is 1")
            }
            guard !description.isToMany else { return nil }
            if description.maximumCount != 1 {
                let limit = description.maximumCount == 0 ? "unlimited" : String(description.maximumCount)
                return subject.finding(
                    .contradictoryCardinality, relationship.name, of: entity,
                    "it is to-one, and its maximum count is \(limit)")
            }
            guard description.isOrdered else { return nil }
            return subject.finding(
                .orderedToOne, relationship.name, of: entity, "the relationship is to-one, and marked as ordered")
        }
    }
}
