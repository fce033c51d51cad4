/// How much of what is fetched waits before it is written.
///
/// What is written must not depend on it, but for the widths of tables.
public struct FetchLimits: Sendable {
    /// The bytes of a block: large enough that a call per block costs nothing, small enough for any cache.
    public var block = 1 << 16
    /// Rows that decide the widths of a table: what fits some screens.
    public var measuredRows = 500

    /// The limits that outputs have unless told.
    public init() {}
}
