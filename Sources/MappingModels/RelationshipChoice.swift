/// Which object a to-one relationship gets if its expression returns several.
public enum RelationshipChoice: String, Sendable, Hashable, CaseIterable {
    /// The first one of an ordered relationship, otherwise the object with the lowest primary key.
    case first
    /// The last one of an ordered relationship, otherwise the object with the highest primary key.
    case last
}
