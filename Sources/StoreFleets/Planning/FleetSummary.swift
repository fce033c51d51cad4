/// What a fleet's plan says of its stores.
public struct FleetSummary: Sendable, Hashable, Codable {
    public let manifest: String
    public let operation: FleetOperation
    public let stores: Int64
    public let bytes: Int64

    /// Stores that were named more than once.
    public let duplicates: Int64
    public let shards: Int

    /// How many stores have each version, by its name.
    public let versions: [String: Int64]

    /// How many stores will fail for what is known of them already, by reason.
    public let problems: [String: Int64]
}
