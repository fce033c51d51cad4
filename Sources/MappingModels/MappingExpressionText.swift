internal import PredicateExpressions

/// The default expressions of mapping models, as text in the predicate format language.
enum MappingExpressionText {
    /// Returns the expression for the value of the source object's property.
    static func value(of property: String) -> String {
        "$source.valueForKey:(\(quoted(property)))"
    }

    /// Returns the expression for the destination objects made from those that the source object's relationship leads
    /// to.
    static func destinations(of relationship: String) -> String {
        "$manager.destinationInstancesForSourceRelationshipNamed:sourceInstances:"
            + "(\(quoted(relationship)), \(value(of: relationship)))"
    }

    /// Returns the expression for the value of the source object's property, or a constant if it has none.
    static func value(of property: String, orDefault constant: ConstantValue) -> String {
        let value = Expression.keyPath(property, on: .variable("source"))
        return Expression.conditional(
            .comparison(value, .equal, .constant(.null)), then: .constant(constant), otherwise: value
        ).format
    }

    /// Returns the expression for all source objects of an entity that satisfy a predicate.
    static func fetch(entity: String, filter: String) -> String {
        "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", "
            + "\(quoted(entity)), \(quoted(filter))), $manager.sourceContext, NO)"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for character in text {
            if character == "\"" || character == "\\" { result.append("\\") }
            result.append(character)
        }
        return result + "\""
    }
}
