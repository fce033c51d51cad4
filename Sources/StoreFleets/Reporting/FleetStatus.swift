/// The progress of a fleet: every store is done, failed or pending.
public struct FleetStatus: Sendable, Hashable, Codable {
    /// The number of stores.
    public var total: Int64 = 0
    /// The number of stores that were processed successfully.
    public var done: Int64 = 0

    /// The number of stores that failed, with a row that contains the reason; running the shard again helps only if the
    /// reason is temporary.
    public var failed: Int64 = 0

    /// The number of stores without a row.
    public var pending: Int64 = 0

    /// The numbers of failed stores by reason, such as `locked` or `unknown-version`.
    public var byReason: [String: Int64] = [:]

    /// Makes the status of a fleet without stores.
    public init() {}
}
