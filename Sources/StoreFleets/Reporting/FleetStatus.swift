/// How far a fleet is: every store is done, failed or pending.
public struct FleetStatus: Sendable, Hashable, Codable {
    /// The number of stores.
    public var total: Int64 = 0
    /// The stores with which everything went well.
    public var done: Int64 = 0

    /// With a row that says why; what may help is to run the shard again only where the reason may pass.
    public var failed: Int64 = 0

    /// Without a row.
    public var pending: Int64 = 0

    /// The failed ones by reason, as in `locked` or `unknown-version`.
    public var byReason: [String: Int64] = [:]

    /// Makes the status of a fleet without stores.
    public init() {}
}
