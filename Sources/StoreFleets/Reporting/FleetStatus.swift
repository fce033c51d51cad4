/// How far a fleet is: every store is done, failed or pending.
public struct FleetStatus: Sendable, Hashable, Codable {
    /// The number of stores.
    public var total: Int64 = 0
    /// The stores with which everything went well.
    public var done: Int64 = 0

    /// The stores that failed, with a row that says why; to run the shard again helps only where the reason may pass.
    public var failed: Int64 = 0

    /// The stores that have no row yet.
    public var pending: Int64 = 0

    /// The failed ones by reason, as in `locked` or `unknown-version`.
    public var byReason: [String: Int64] = [:]

    /// Makes the status of a fleet without stores.
    public init() {}
}
