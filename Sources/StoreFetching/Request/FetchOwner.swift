/// A relationship whose objects are fetched for one owner after another, given by `FetchCursor.begin(owner:)`.
public struct FetchOwner: Sendable, Hashable {
    /// The entity of the object that has the relationship.
    public let entityName: String
    /// The relationship's name.
    public let relationship: String

    /// Makes an owner from an entity and a relationship.
    public init(entityName: String, relationship: String) {
        self.entityName = entityName
        self.relationship = relationship
    }
}
