/// A property by the entity that declares it, whatever subentity it is seen from.
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
