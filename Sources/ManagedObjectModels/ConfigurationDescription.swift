/// A named subset of a model's entities, which one store may hold.
public struct ConfigurationDescription: Sendable, Hashable {
    public var name: String
    public var entityNames: [String]
    public var isUsedWithCloudKit: Bool

    public init(name: String, entityNames: [String], isUsedWithCloudKit: Bool = false) {
        self.name = name
        self.entityNames = entityNames
        self.isUsedWithCloudKit = isUsedWithCloudKit
    }
}
