/// A named subset of a model's entities, which one store may hold.
public struct ConfigurationDescription: Sendable, Hashable {
    /// The configuration's name, with which a store is opened.
    public var name: String
    /// The names of the entities that belong to it.
    public var entityNames: [String]
    /// Whether a store of the configuration is mirrored with CloudKit.
    public var isUsedWithCloudKit: Bool

    /// Makes a configuration from the names of its entities.
    public init(name: String, entityNames: [String], isUsedWithCloudKit: Bool = false) {
        self.name = name
        self.entityNames = entityNames
        self.isUsedWithCloudKit = isUsedWithCloudKit
    }
}
