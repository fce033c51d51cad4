import ManagedObjectModels

/// A uniqueness constraint, as an object of an entity that declares or inherits it has its properties.
struct UniquenessConstraint: Sendable {
    /// The slot of the entity that declares it.
    let entity: Int
    let names: [String]
    /// Attributes and to-one relationships.
    let slots: [PropertySlot]
}

extension EntityShape {
    /// The constraints of the entity and those that it inherits from, as far as their properties are columns that a save
    /// writes itself; what others mean is left to the store's indexes.
    static func constraints(
        of entity: ResolvedEntity, in model: ResolvedModel, _ slot: (String) -> PropertySlot?
    ) -> [UniquenessConstraint] {
        model.uniquenessConstraints(of: entity.slot).compactMap { constraint in
            let slots = constraint.properties.compactMap(slot)
            guard slots.count == constraint.properties.count else { return nil }
            return UniquenessConstraint(entity: constraint.entity, names: constraint.properties, slots: slots)
        }
    }
}
