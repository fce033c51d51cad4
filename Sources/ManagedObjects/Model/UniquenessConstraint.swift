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
        var result: [UniquenessConstraint] = []
        var current: Int? = entity.slot
        while let declaring = current {
            for names in model.entities[declaring].description.uniquenessConstraints {
                let slots = names.compactMap(slot)
                guard !slots.isEmpty, slots.count == names.count else { continue }
                result.append(UniquenessConstraint(entity: declaring, names: names, slots: slots))
            }
            current = model.entities[declaring].superentity
        }
        return result
    }
}
