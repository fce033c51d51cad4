package import ManagedObjectModels
package import PredicateExpressions

/// The key `objectID` at the end of a key path is an object's ID, for which expressions use the object itself.
extension Expression {
    private static let name = "objectID"

    /// Returns the expression with objects instead of their IDs.
    ///
    /// - Parameter model: the model; if it has properties named `objectID`, they take precedence.
    package func namingObjects(in model: ResolvedModel) -> Expression {
        model.hasProperty(named: Self.name) ? self : replacing { expression, _ in expression.objectOfID }
    }

    /// The object whose ID the expression is; nil for other expressions.
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
    /// Returns the predicate with objects instead of their IDs; see `Expression.namingObjects(in:)`.
    package func namingObjects(in model: ResolvedModel) -> Predicate {
        model.hasProperty(named: "objectID") ? self : replacing { expression, _ in expression.objectOfID }
    }
}

extension FetchRequest {
    /// Returns the request with objects instead of their IDs, and unchanged names of results.
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
