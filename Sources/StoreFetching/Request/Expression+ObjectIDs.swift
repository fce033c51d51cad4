package import ManagedObjectModels
package import PredicateExpressions

/// `objectID` at the end of a key path is the ID of an object, which expressions have in the place of the object.
extension Expression {
    private static let name = "objectID"

    /// The same with objects in the place of their IDs.
    ///
    /// - Parameter model: a model; where it has properties called `objectID`, these are meant.
    package func namingObjects(in model: ResolvedModel) -> Expression {
        model.hasProperty(named: Self.name) ? self : replacing { expression, _ in expression.objectOfID }
    }

    /// The object whose ID the expression is; nil for another expression.
    fileprivate var objectOfID: Expression? {
        guard case .keyPath(let operand, let path) = self else { return nil }
        let object = operand.replacing { expression, _ in expression.objectOfID }
        if path == Self.name { return object }
        let suffix = "." + Self.name
        guard path.hasSuffix(suffix) else { return nil }
        return .keyPath(object, String(path.dropLast(suffix.count)))
    }
}

extension Predicate {
    /// The same with objects in the place of their IDs; see `Expression.namingObjects(in:)`.
    package func namingObjects(in model: ResolvedModel) -> Predicate {
        model.hasProperty(named: "objectID") ? self : replacing { expression, _ in expression.objectOfID }
    }
}

extension FetchRequest {
    /// The same with objects in the place of their IDs; what the results call them stays.
    func namingObjects(in model: ResolvedModel) -> FetchRequest {
        func named(_ property: FetchedProperty) -> FetchedProperty {
            let content: FetchedProperty.Content =
                switch property.content {
                case .expression(let expression): .expression(expression.namingObjects(in: model))
                case .related(let expression): .related(expression.namingObjects(in: model))
                case .aggregate(let aggregate, let expression):
                    .aggregate(aggregate, of: expression?.namingObjects(in: model))
                case .position, .computed: property.content
                }
            return FetchedProperty(name: property.name, content, as: property.resultType)
        }
        var request = self
        request.predicate = predicate?.namingObjects(in: model)
        request.propertiesToFetch = propertiesToFetch.map(named)
        request.hiddenProperties = hiddenProperties.map(named)
        request.propertiesToGroupBy = propertiesToGroupBy.map { $0.namingObjects(in: model) }
        return request
    }
}
