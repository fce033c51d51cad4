internal import ManagedObjectModels

extension InferredMapping {
    /// The mapping model for people to edit, including the implicit steps of an inferred migration: unchanged, it has
    /// the same result as inference.
    ///
    /// An attribute that becomes required gets its default value if the source has no value.
    public var editableModel: MappingModel {
        var model = mappingModel
        for index in model.entityMappings.indices {
            guard let name = model.entityMappings[index].destinationEntityName,
                let entity = correspondence.destination.entity(named: name)
            else { continue }
            for place in model.entityMappings[index].attributeMappings.indices {
                let property = model.entityMappings[index].attributeMappings[place]
                guard property.valueExpression != nil, let attribute = entity.attribute(named: property.name),
                    !attribute.isOptional, let constant = attribute.description.defaultForMigration?.constant,
                    let old = correspondence.sourceAttribute(for: property.name, in: entity.slot), old.isOptional
                else { continue }
                model.entityMappings[index].attributeMappings[place].valueExpression =
                    MappingExpressionText.value(of: old.name, orDefault: constant)
            }
        }
        return model
    }
}
