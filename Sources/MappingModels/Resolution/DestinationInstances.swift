public import PredicateExpressions

/// The expression of a relationship: the mappings that made the destination objects, and the path to their source
/// objects.
public struct DestinationInstances {
    /// The mappings that made the destination objects of a relationship.
    public enum Makers {
        /// The entity mapping of this name.
        case mapping(String)
        /// All mappings for the objects at the end of the path.
        case any
    }

    /// The mappings that made the destination objects.
    public let makers: Makers
    /// The path to the source objects.
    public let path: Expression

    /// Parses an expression; nil if it is not a known call of the migration manager.
    public init?(_ expression: Expression) {
        switch expression {
        case .invocation(.variable("manager"), let selector, let arguments) where arguments.count == 2:
            guard case .constant(.string(let name)) = arguments[0] else { return nil }
            path = arguments[1]
            switch selector {
            case "destinationInstancesForEntityMappingNamed:sourceInstances:": makers = .mapping(name)
            case "destinationInstancesForSourceRelationshipNamed:sourceInstances:": makers = .any
            default: return nil
            }
        case .variable("source"), .keyPath(.variable("source"), _):
            makers = .any
            path = expression
        default: return nil
        }
    }
}
