internal import PredicateExpressions

extension MappingModel {
    /// Checks that the texts of all filters and expressions can be parsed, so that they can be read back after writing.
    ///
    /// Damaged files in Core Data's forms may contain expressions without a text, or with one that cannot be parsed.
    func checkTexts() throws(MappingModelWritingError) {
        for mapping in entityMappings {
            if let filter = mapping.sourceFilter {
                let place = MappingModelPlace(entityMapping: mapping.name, key: "filter")
                _ = try ExpressionArchive.predicate(filter, at: place)
            }
            if let fetch = mapping.sourceExpression {
                let place = MappingModelPlace(entityMapping: mapping.name, key: "fetch")
                _ = try ExpressionArchive.expression(fetch, at: place)
            }
            for property in mapping.attributeMappings + mapping.relationshipMappings {
                let place = MappingModelPlace(entityMapping: mapping.name, property: property.name)
                for text in [property.valueExpression] + property.transforms.map(\.valueExpression) {
                    if let text { _ = try ExpressionArchive.expression(text, at: place) }
                }
            }
        }
    }
}
