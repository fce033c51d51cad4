/// The summary of a fleet's plan.
public struct FleetSummary: Sendable, Hashable, Codable {
    /// The path of the manifest.
    public let manifest: String
    /// The operation on each store.
    public let operation: FleetOperation
    /// The number of stores.
    public let stores: Int64
    /// The size of all stores, in bytes.
    public let bytes: Int64

    /// The number of stores that were given more than once.
    public let duplicates: Int64
    /// The number of shards.
    public let shards: Int

    /// The number of stores by version name.
    public let versions: [String: Int64]

    /// The number of stores that are already known to fail, by reason.
    public let problems: [String: Int64]
}
