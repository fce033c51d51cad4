public import PredicateExpressions

/// A relationship's expression: which mappings made the destination objects, and the path to their sources.
public struct DestinationInstances {
    /// Which mappings made the objects that a relationship leads to.
    public enum Makers {
        /// The entity mapping of this name.
        case mapping(String)
        /// Whatever mappings there are for the objects that the path leads to.
        case any
    }

    /// Which mappings made the destination objects.
    public let makers: Makers
    /// The path to the objects' sources.
    public let path: Expression

    /// Takes an expression apart; nil if it is not a call of the manager that is known.
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
