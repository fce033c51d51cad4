/// The attributes by which an entity mapping finds or creates its destination objects.
public struct MappingIdentity: Sendable, Hashable {
    /// The source object whose values are kept if several become one object, in the order of their primary keys.
    public enum Survivor: String, Sendable, Hashable, CaseIterable {
        /// The values of the first source object are kept.
        case first
        /// The values of the last source object are kept.
        case last
        /// Two source objects whose other values differ are an error.
        case fail
    }

    /// The destination's attributes that form the key. A source object with NULL for all of them makes no object.
    public var attributes: [String]

    /// The source object whose values are kept.
    public var survivor: Survivor

    /// Makes an identity from the destination's attributes.
    public init(attributes: [String], survivor: Survivor = .first) {
        self.attributes = attributes
        self.survivor = survivor
    }
}
