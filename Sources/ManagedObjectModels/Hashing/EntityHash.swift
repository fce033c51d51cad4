/// An entity's version hash as computed from the model.
public struct EntityHash: Sendable, Hashable {
    /// The entity's name.
    public let entityName: String
    /// The computed hash.
    public let hash: VersionHash

    /// The features whose effect on the hash is not confirmed; empty if the hash is certain.
    public let doubts: [HashDoubt]

    /// Whether real stores confirm the rules for all features of the entity.
    public var isProven: Bool { doubts.isEmpty }
}
