/// The result of a run of a shard.
public struct ShardReport: Sendable, Hashable, Codable {
    /// The shard's number, from 1.
    public let shard: Int

    /// The number of stores that earlier runs finished, and this one skipped.
    public var skipped: Int64 = 0
    /// The number of stores that this run has done.
    public var done: Int64 = 0
    /// The number of stores that failed in this run.
    public var failed: Int64 = 0

    /// The number of stores among these whose reason is temporary.
    public var temporary: Int64 = 0

    /// Whether the run was cancelled.
    public var isCancelled = false
    /// The duration of the run, in seconds.
    public var seconds = 0.0

    /// Whether running the shard again may help.
    public var isWorthRetrying: Bool { temporary > 0 || isCancelled }
}
