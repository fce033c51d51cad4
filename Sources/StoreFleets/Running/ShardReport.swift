/// How a run of a shard ended.
public struct ShardReport: Sendable, Hashable, Codable {
    public let shard: Int

    /// Stores that earlier runs had brought to an end, and this one skipped.
    public var skipped: Int64 = 0
    public var done: Int64 = 0
    public var failed: Int64 = 0

    /// Of the failed ones those that another run may help.
    public var temporary: Int64 = 0

    /// Whether the run was asked to end before it was through.
    public var isCancelled = false
    public var seconds = 0.0

    /// Whether running the shard again may help.
    public var isWorthRetrying: Bool { temporary > 0 || isCancelled }
}
