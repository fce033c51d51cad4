/// How a run of a shard ended.
public struct ShardReport: Sendable, Hashable, Codable {
    /// The shard's number, from 1.
    public let shard: Int

    /// Stores that earlier runs had brought to an end, and this one skipped.
    public var skipped: Int64 = 0
    /// The stores that this run has done.
    public var done: Int64 = 0
    /// The stores that failed in this run.
    public var failed: Int64 = 0

    /// The failed ones among these that another run may help.
    public var temporary: Int64 = 0

    /// Whether the run was asked to end before it was through.
    public var isCancelled = false
    /// The seconds that the run took.
    public var seconds = 0.0

    /// Whether running the shard again may help.
    public var isWorthRetrying: Bool { temporary > 0 || isCancelled }
}
