/// Which object a to-one relationship leads to where its expression gives several.
public enum RelationshipChoice: String, Sendable, Hashable, CaseIterable {
    /// The first in the order of an ordered relationship, else of the primary keys.
    case first
    /// The last in that order.
    case last
}
