/// An entity's version hash as computed from the model.
public struct EntityHash: Sendable, Hashable {
    /// The entity's name.
    public let entityName: String
    /// The hash as it was computed.
    public let hash: VersionHash

    /// The features whose part in the hash is not confirmed; empty if the hash is certain.
    public let doubts: [HashDoubt]

    /// Whether the rule for all of the entity is confirmed by real stores.
    public var isProven: Bool { doubts.isEmpty }
}
