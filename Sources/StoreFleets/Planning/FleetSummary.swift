/// What a fleet's plan says of its stores.
public struct FleetSummary: Sendable, Hashable, Codable {
    /// The path of the manifest.
    public let manifest: String
    /// What is done to each store.
    public let operation: FleetOperation
    /// The number of stores.
    public let stores: Int64
    /// The size of all stores, in bytes.
    public let bytes: Int64

    /// Stores that were named more than once.
    public let duplicates: Int64
    /// The number of shards.
    public let shards: Int

    /// How many stores have each version, by its name.
    public let versions: [String: Int64]

    /// How many stores will fail for what is known of them already, by reason.
    public let problems: [String: Int64]
}
