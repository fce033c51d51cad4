/// A uniqueness constraint on the objects of an entity, declared or inherited.
public struct ResolvedConstraint: Sendable, Hashable {
    /// The slot of the declaring entity: the values are unique among its objects and those of its subentities.
    public let entity: Int
    /// The position among the constraints of that entity's description.
    public let place: Int
    /// The names of the properties, in the model's order; at least one.
    public let properties: [String]
}

extension ResolvedModel {
    /// Returns the uniqueness constraints on the objects of an entity. Its own come first, then those of its
    /// superentities from the nearest up, in the model's order. Constraints without properties are left out.
    ///
    /// - Parameter slot: the slot of the entity.
    public func uniquenessConstraints(of slot: Int) -> [ResolvedConstraint] {
        var constraints: [ResolvedConstraint] = []
        var next: Int? = slot
        while let declaring = next {
            let entity = entities[declaring]
            for (place, properties) in entity.description.uniquenessConstraints.enumerated() where !properties.isEmpty {
                constraints.append(ResolvedConstraint(entity: declaring, place: place, properties: properties))
            }
            next = entity.superentity
        }
        return constraints
    }
}
