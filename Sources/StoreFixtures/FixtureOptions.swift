/// The options of a store with generated data.
public struct FixtureOptions {
    /// The number of objects for each entity that is not abstract.
    public var rows: Int
    /// The seed of the data: the same seed gives the same data.
    public var seed: UInt64
    /// Internal limits, which tests change.
    var fixedLimits = FixtureLimits()
    /// Called from time to time; if it returns true, the operation ends with `FixtureError.cancelled`, and no store is
    /// made.
    public var isCancelled: () -> Bool = { false }
    /// Called from time to time with a table, its current number of rows, and the final one.
    public var onProgress: (_ table: String, _ rows: Int64, _ total: Int64) -> Void = { _, _, _ in }

    /// Makes options; a negative number of rows counts as 0.
    public init(rows: Int, seed: UInt64) {
        self.rows = max(0, rows)
        self.seed = seed
    }
}
