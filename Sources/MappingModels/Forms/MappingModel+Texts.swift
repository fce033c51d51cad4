internal import PredicateExpressions

extension MappingModel {
    /// Checks that the texts of all filters and expressions can be read: what is written must come back.
    ///
    /// Damaged files of Core Data's forms hold others, which have no text or one that is not an expression.
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
