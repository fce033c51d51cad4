internal import KeyedArchives
internal import ManagedObjectModels
internal import PredicateExpressions

extension InferredMapping {
    /// The mapping model with what an inferred migration does beside it spelled out, for people to edit: run as it is,
    /// it gives what inference gives.
    ///
    /// An attribute that becomes required gets its default where the source has no value.
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
                let value = Expression.keyPath(old.name, on: .variable("source"))
                model.entityMappings[index].attributeMappings[place].valueExpression =
                    Expression.conditional(
                        .comparison(value, .equal, .constant(.null)), then: .constant(constant), otherwise: value
                    ).format
            }
        }
        return model
    }
}

extension AttributeValue {
    /// The value as it stands in expressions; nil for binary data and arrays, whose columns are only taken over as they are.
    fileprivate var constant: ConstantValue? {
        switch self {
        case .integer(let number): .integer(number)
        case .decimal(let digits): DecimalNumber(digits).map { .decimal($0) }
        case .real(let number): .real(number)
        case .string(let text): .string(text)
        case .boolean(let flag): .boolean(flag)
        case .date(let seconds): .date(seconds)
        case .uuid(let bytes): .uuid(bytes)
        case .uri(let text): .url(text)
        case .binary, .array, .unparsed: nil
        }
    }
}
