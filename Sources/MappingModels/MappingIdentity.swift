/// Which destination objects of an entity mapping are one and the same: find or create by key.
public struct MappingIdentity: Sendable, Hashable {
    /// Which source's values stay where several sources make one object, in the order of their primary keys.
    public enum Survivor: String, Sendable, Hashable, CaseIterable {
        case first
        case last
        /// Two sources whose other values differ are an error.
        case fail
    }

    /// The destination's attributes that make the key. A source with NULL in all of them makes no object.
    public var attributes: [String]

    public var survivor: Survivor

    public init(attributes: [String], survivor: Survivor = .first) {
        self.attributes = attributes
        self.survivor = survivor
    }
}
