internal import ManagedObjectModels

/// Makes the entity mappings of a model correspondence, as a step of `InferredMapping.init`.
struct InferredMappingBuilder {
    let correspondence: ModelCorrespondence
    let sourceHashes: [String: [UInt8]]
    let destinationHashes: [String: [UInt8]]

    func mappingModel() -> MappingModel {
        let kept = correspondence.destination.entities.map { entity in
            correspondence.sourceEntity(of: entity.slot).map { transfer(from: $0, to: entity) } ?? addition(of: entity)
        }
        let removed = correspondence.source.entities
            .filter { correspondence.destinationSlot[$0.slot] == nil }
            .map(removal)
        return MappingModel(entityMappings: kept + removed)
    }

    private func addition(of entity: ResolvedEntity) -> EntityMapping {
        EntityMapping(
            name: "IEM_Add_" + entity.name, type: .add, destinationEntityName: entity.name,
            destinationEntityVersionHash: destinationHashes[entity.name],
            attributeMappings: mappedAttributes(of: entity).map { PropertyMapping(name: $0.name) },
            relationshipMappings: mappedRelationships(of: entity).map { PropertyMapping(name: $0.name) })
    }

    private func removal(of entity: ResolvedEntity) -> EntityMapping {
        EntityMapping(
            name: "IEM_Remove_" + entity.name, type: .remove, sourceEntityName: entity.name,
            sourceEntityVersionHash: sourceHashes[entity.name])
    }

    private func transfer(from source: ResolvedEntity, to entity: ResolvedEntity) -> EntityMapping {
        let type: EntityMappingType = isCopy(from: source, to: entity) ? .copy : .transform
        return EntityMapping(
            name: (type == .copy ? "IEM_Copy_" : "IEM_Transform_") + entity.name, type: type,
            sourceEntityName: source.name, sourceEntityVersionHash: sourceHashes[source.name],
            destinationEntityName: entity.name, destinationEntityVersionHash: destinationHashes[entity.name],
            attributeMappings: mappedAttributes(of: entity).map { attribute in
                let old =
                    attribute.isDerived
                    ? nil : correspondence.sourceAttribute(for: attribute.name, in: entity.slot)
                return PropertyMapping(
                    name: attribute.name, valueExpression: old.map { MappingExpressionText.value(of: $0.name) })
            },
            relationshipMappings: mappedRelationships(of: entity).map { relationship in
                let old = correspondence.sourceRelationship(for: relationship.name, in: entity.slot)
                return PropertyMapping(
                    name: relationship.name,
                    valueExpression: old.map { MappingExpressionText.destinations(of: $0.name) })
            })
    }

    /// Returns whether objects can be copied. Equal hashes mean equal columns, but renaming identifiers, which are not
    /// part of the hash, may still exchange properties.
    private func isCopy(from source: ResolvedEntity, to entity: ResolvedEntity) -> Bool {
        guard let old = sourceHashes[source.name], old == destinationHashes[entity.name] else { return false }
        return mappedAttributes(of: entity).allSatisfy {
            correspondence.sourceAttribute(for: $0.name, in: entity.slot)?.name == $0.name
        }
            && mappedRelationships(of: entity).allSatisfy {
                correspondence.sourceRelationship(for: $0.name, in: entity.slot)?.name == $0.name
            }
    }

    private func mappedAttributes(of entity: ResolvedEntity) -> [ResolvedAttribute] {
        entity.attributes.filter(\.isStored)
    }

    private func mappedRelationships(of entity: ResolvedEntity) -> [ResolvedRelationship] {
        entity.relationships.filter(\.isStored)
    }
}
