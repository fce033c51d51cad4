extension ModelContentsWriter {
    /// The parts of the model that the format cannot represent; some can occur only in compiled models.
    public var losses: [ModelWarning] {
        var losses: [ModelWarning] = []
        func lose(_ part: String, _ entity: String? = nil, _ property: String? = nil) {
            losses.append(ModelWarning(.notWritable(part), entity: entity, property: property))
        }
        func check(_ request: FetchRequestTemplate, _ entity: String? = nil, _ property: String? = nil) {
            let name = "the fetch request \"\(request.name)\""
            if !request.sortDescriptors.isEmpty { lose("the sort order of \(name)", entity, property) }
            if request.fetchOffset != 0 { lose("the offset of \(name)", entity, property) }
            if !request.relationshipKeyPathsForPrefetching.isEmpty {
                lose("the prefetching of \(name)", entity, property)
            }
        }
        let model = document.model
        if model.versionIdentifiers.count > 1 { lose("all version identifiers but the first") }
        for request in model.fetchRequestTemplates { check(request) }
        for entity in model.entities {
            for property in entity.fetchedProperties { check(property.fetchRequest, entity.name, property.name) }
            for attribute in entity.attributes {
                let values = [attribute.defaultValue, attribute.validation.minimum, attribute.validation.maximum]
                for case let value? in values where value.contentsText == nil && value.contentsInterval == nil {
                    lose(
                        value.text.isEmpty ? "the empty value" : "the value \(value.text)", entity.name, attribute.name)
                }
                let predicates = attribute.validation.otherPredicates
                if !predicates.isEmpty {
                    lose("\(predicates.count) validation predicates", entity.name, attribute.name)
                }
            }
        }
        return losses
    }
}
