/// Which object a to-one relationship leads to where its expression gives several.
public enum RelationshipChoice: String, Sendable, Hashable, CaseIterable {
    /// The object with the lowest primary key.
    case first
    /// The object with the highest primary key.
    case last
}
