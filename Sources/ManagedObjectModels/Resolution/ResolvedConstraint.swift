/// A uniqueness constraint that holds for the objects of an entity: its own, or one that it inherits.
public struct ResolvedConstraint: Sendable, Hashable {
    /// The slot of the entity that declares it: the objects of that one and of its subentities differ in the values.
    public let entity: Int
    /// Its place among those of that entity's description.
    public let place: Int
    /// The names of the properties, in the order of the model; at least one.
    public let properties: [String]
}

extension ResolvedModel {
    /// The uniqueness constraints that hold for the objects of an entity: its own first, then those of its superentities
    /// from the nearest up, each in the order of the model. Constraints without properties are left out.
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
