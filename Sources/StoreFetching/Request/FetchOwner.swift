/// A relationship whose objects are wanted, of one object after the other: `FetchCursor.begin(owner:)` says which.
public struct FetchOwner: Sendable, Hashable {
    /// The entity of the object that has the relationship.
    public let entityName: String
    /// The relationship's name.
    public let relationship: String

    /// Makes an owner of an entity and a relationship.
    public init(entityName: String, relationship: String) {
        self.entityName = entityName
        self.relationship = relationship
    }
}
