public import ManagedObjectModels

extension ImportMapping {
    /// What tells the objects of a mapping apart: its key, else the first uniqueness constraint that is mapped whole.
    ///
    /// The entity's own constraints come before those that it inherits. Empty if there is none.
    static func key(of object: ObjectMapping, entity: ResolvedEntity, in model: ResolvedModel) -> [String] {
        if !object.key.isEmpty { return object.key }
        let mapped = Set(object.attributes.map(\.attribute) + object.relationships.map(\.relationship))
        return model.uniquenessConstraints(of: entity.slot).first { $0.properties.allSatisfy(mapped.contains) }?
            .properties ?? []
    }

    /// The attribute by which relationships find an entity's objects where they name none; nil if there is no such.
    ///
    /// That of the first mapping with a key of one attribute, of the entity itself or of one that it inherits from or
    /// that inherits from it; else of the first uniqueness constraint of one attribute.
    public func keyAttribute(of entity: ResolvedEntity, in model: ResolvedModel) -> String? {
        for object in sources.flatMap(\.objects) {
            guard let other = model.entity(named: object.entity),
                model.isKind(other.slot, of: entity.slot) || model.isKind(entity.slot, of: other.slot)
            else { continue }
            let key = Self.key(of: object, entity: other, in: model)
            if key.count == 1, entity.attribute(named: key[0]) != nil { return key[0] }
        }
        return model.uniquenessConstraints(of: entity.slot).first { constraint in
            constraint.properties.count == 1 && entity.attribute(named: constraint.properties[0]) != nil
        }?.properties.first
    }

    /// Whether a mapping of an entity, or of one that inherits from it, gives its objects a source key of so many
    /// values.
    package func hasSourceKey(ofParts count: Int, for entity: ResolvedEntity, in model: ResolvedModel) -> Bool {
        sources.flatMap(\.objects).contains { object in
            object.sourceKey.count == count
                && model.entity(named: object.entity).map { model.isKind($0.slot, of: entity.slot) } ?? false
        }
    }
}
