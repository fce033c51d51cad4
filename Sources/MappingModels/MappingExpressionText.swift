internal import PredicateExpressions

/// The expressions that mapping models use by default, as text in the predicate format language.
enum MappingExpressionText {
    /// The value of the source object's property.
    static func value(of property: String) -> String {
        "$source.valueForKey:(\(quoted(property)))"
    }

    /// The destination objects made of the ones that the source object's relationship leads to.
    static func destinations(of relationship: String) -> String {
        "$manager.destinationInstancesForSourceRelationshipNamed:sourceInstances:"
            + "(\(quoted(relationship)), \(value(of: relationship)))"
    }

    /// The value of the source object's property, or a constant where it has none.
    static func value(of property: String, orDefault constant: ConstantValue) -> String {
        let value = Expression.keyPath(property, on: .variable("source"))
        return Expression.conditional(
            .comparison(value, .equal, .constant(.null)), then: .constant(constant), otherwise: value
        ).format
    }

    /// All source objects of an entity that satisfy a predicate.
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
