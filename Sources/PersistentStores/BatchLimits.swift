/// The limits at which a batch is full: rows or bytes, whichever is reached first.
public struct BatchLimits: Sendable, Hashable {
    /// The number of rows at which a batch is full; at least one.
    public var rows: Int
    /// The number of bytes at which a batch is full; at least one.
    public var bytes: Int

    /// Makes limits. By default, 20 000 rows keep the cost of a statement and a commit far below that of its rows, and
    /// 8 MiB limit the memory that wide rows take.
    public init(rows: Int = 20_000, bytes: Int = 8 << 20) {
        self.rows = max(1, rows)
        self.bytes = max(1, bytes)
    }
}
