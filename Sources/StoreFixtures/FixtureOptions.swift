/// What a store with made-up data is to be.
public struct FixtureOptions {
    /// Objects of each entity that is not abstract.
    public var rows: Int
    /// The number that the data are made of: the same number gives the same data.
    public var seed: UInt64
    /// The limits that no one has to know of; tests set them.
    var fixedLimits = FixtureLimits()
    /// Asked now and then; true ends the work with `FixtureError.cancelled`, and no store is made.
    public var isCancelled: () -> Bool = { false }
    /// Called now and then with a table, the rows that it has, and those that it will have.
    public var onProgress: (_ table: String, _ rows: Int64, _ total: Int64) -> Void = { _, _, _ in }

    /// Makes options; a negative number of rows counts as 0.
    public init(rows: Int, seed: UInt64) {
        self.rows = max(0, rows)
        self.seed = seed
    }
}
