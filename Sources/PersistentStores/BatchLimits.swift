/// When a batch is full: by rows or by bytes, whichever comes first.
public struct BatchLimits: Sendable, Hashable {
    /// The rows after which a batch is full; at least one.
    public var rows: Int
    /// The bytes after which a batch is full; at least one.
    public var bytes: Int

    /// 20 000 rows keep the cost of a statement and a commit far below that of its rows; 8 MiB bound what wide rows
    /// hold.
    public init(rows: Int = 20_000, bytes: Int = 8 << 20) {
        self.rows = max(1, rows)
        self.bytes = max(1, bytes)
    }
}
