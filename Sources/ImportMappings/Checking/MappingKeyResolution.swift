public import ManagedObjectModels

extension ImportMapping {
    /// Returns the identity of a mapping's objects: its key, otherwise the first uniqueness constraint whose properties
    /// are all mapped.
    ///
    /// The entity's own constraints come before inherited ones. Empty if there is none.
    static func key(of object: ObjectMapping, entity: ResolvedEntity, in model: ResolvedModel) -> [String] {
        if !object.key.isEmpty { return object.key }
        let mapped = Set(object.attributes.map(\.attribute) + object.relationships.map(\.relationship))
        return model.uniquenessConstraints(of: entity.slot).first { $0.properties.allSatisfy(mapped.contains) }?
            .properties ?? []
    }

    /// Returns the attribute by which relationships find an entity's objects by default; nil if there is none.
    ///
    /// It is that of the first mapping with a key of one attribute, for the entity itself, a superentity or a
    /// subentity; otherwise that of the first uniqueness constraint with one attribute.
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

    /// Returns whether a mapping of an entity or a subentity has a source key with this number of values.
    package func hasSourceKey(ofParts count: Int, for entity: ResolvedEntity, in model: ResolvedModel) -> Bool {
        sources.flatMap(\.objects).contains { object in
            object.sourceKey.count == count
                && model.entity(named: object.entity).map { model.isKind($0.slot, of: entity.slot) } ?? false
        }
    }
}
