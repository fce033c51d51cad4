/// Which object a to-one relationship leads to where its expression gives several.
public enum RelationshipChoice: String, Sendable, Hashable, CaseIterable {
    /// The first of an ordered relationship, else the object with the lowest primary key.
    case first
    /// The last of an ordered relationship, else the object with the highest primary key.
    case last
}
