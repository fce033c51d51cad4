public import ManagedObjectModels

/// A property, identified by the entity that declares it, also if it is accessed through a subentity.
public struct PropertyKey: Sendable, Hashable {
    /// The slot of the declaring entity.
    public let owner: Int
    /// The name of the property.
    public let name: String

    /// Makes the key of a property that an entity declares.
    public init(owner: Int, name: String) {
        self.owner = owner
        self.name = name
    }
}

extension ResolvedModel {
    /// Returns the relationship with a key; nil if the property is not a relationship.
    public func relationship(_ key: PropertyKey) -> ResolvedRelationship? {
        entities[key.owner].relationship(named: key.name)
    }
}
