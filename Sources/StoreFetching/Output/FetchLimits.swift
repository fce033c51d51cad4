/// Limits on the output that is held in memory before it is written.
///
/// They do not affect the output, except for the widths of tables.
public struct FetchLimits: Sendable {
    /// The size of a block in bytes: large enough that a call per block costs little, small enough for any cache.
    public var block = 1 << 16
    /// The number of rows that determine the widths of a table: what fits on some screens.
    public var measuredRows = 500

    /// Makes the default limits.
    public init() {}
}
