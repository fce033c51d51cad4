/// The effect of a change to a declaration on the parts of its entity's hash.
struct DeclarationEffect {
    let change: DeclarationChange
    /// The property's position among those of the entity, and its new hash, which is nil if it is absent. Nil if the
    /// property's hash is unchanged.
    let property: (place: Int, hash: [UInt8]?)?
    let removedConstraints: [String]
    let addedConstraints: [String]

    /// Computes the effect of a change to an entity; nil if the hash is unchanged.
    ///
    /// - Parameter part: the model with the entity, its superentities and the names of all others.
    init?(
        _ change: DeclarationChange, of entity: EntityDescription, _ parts: EntityHashParts, in part: ManagedObjectModel
    ) {
        var changed = entity
        change.apply(&changed)
        let before = EntityHashParts.constraints(entity.uniquenessConstraints)
        let after = EntityHashParts.constraints(changed.uniquenessConstraints)
        removedConstraints = before.filter { !after.contains($0) }
        addedConstraints = after.filter { !before.contains($0) }
        let place = parts.properties.firstIndex { $0.name == change.property }
        let hash = Self.hash(of: change.property, changed, in: part)
        property = place.flatMap { parts.properties[$0].hash == hash ? nil : ($0, hash) }
        guard property != nil || !removedConstraints.isEmpty || !addedConstraints.isEmpty else { return nil }
        self.change = change
    }

    /// Returns the hash of one property; nil if the entity has no stored property with the name.
    private static func hash(
        of property: String, _ entity: EntityDescription, in part: ManagedObjectModel
    ) -> [UInt8]? {
        let alone = EntityDescription(
            name: entity.name, attributes: entity.attributes.filter { $0.name == property },
            relationships: entity.relationships.filter { $0.name == property })
        let destinations = alone.relationships.map(\.destinationEntityName).filter { $0 != entity.name }
        let model = ManagedObjectModel(
            entities: [alone] + destinations.map { EntityDescription(name: $0) }, composites: part.composites)
        guard let resolved = try? ResolvedModel(model) else { return nil }
        return ModelHashes.propertyHashes(of: resolved)[entity.name]?[property]?.bytes
    }
}
