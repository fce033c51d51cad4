/// Which destination objects of an entity mapping are one and the same: find or create by key.
public struct MappingIdentity: Sendable, Hashable {
    /// Which source's values stay where several sources make one object, in the order of their primary keys.
    public enum Survivor: String, Sendable, Hashable, CaseIterable {
        /// The values of the first source stay.
        case first
        /// The values of the last source stay.
        case last
        /// Two sources whose other values differ are an error.
        case fail
    }

    /// The destination's attributes that make the key. A source with NULL in all of them makes no object.
    public var attributes: [String]

    /// Which source's values stay.
    public var survivor: Survivor

    /// Makes an identity of the destination's attributes.
    public init(attributes: [String], survivor: Survivor = .first) {
        self.attributes = attributes
        self.survivor = survivor
    }
}
