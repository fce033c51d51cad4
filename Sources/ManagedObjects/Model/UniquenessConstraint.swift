import ManagedObjectModels

/// A uniqueness constraint, with the slots of its properties in an entity that declares or inherits it.
struct UniquenessConstraint: Sendable {
    /// The slot of the declaring entity.
    let entity: Int
    let names: [String]
    /// The slots of its attributes and to-one relationships.
    let slots: [PropertySlot]
}

extension EntityShape {
    /// Returns the declared and inherited constraints of the entity whose properties are columns that a save writes
    /// itself; others are left to the store's indexes.
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
