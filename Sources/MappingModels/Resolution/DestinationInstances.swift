public import PredicateExpressions

/// A relationship's expression: which mappings made the destination objects, and the path to their sources.
public struct DestinationInstances {
    public enum Makers {
        case mapping(String)
        /// Whatever mappings there are for the objects that the path leads to.
        case any
    }

    public let makers: Makers
    public let path: Expression

    /// nil if the expression is not a call of the manager that is known.
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
