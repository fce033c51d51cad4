import SQLiteAccess

/// A filter that selects transactions and changes of persistent history.
public struct HistoryFilter: Sendable {
    /// The token after which transactions are read; nil for all.
    public var since: HistoryToken?

    /// The time from which on transactions are read, inclusive, in seconds since 2001; nil for all.
    public var after: Double?
    /// The time before which transactions are read, in seconds since 2001; nil for all.
    public var before: Double?

    /// The author whose transactions are read; nil for all.
    public var author: String?

    /// The entity whose changes are read, with those of its subentities, and the transactions that have any; nil for
    /// all.
    public var entity: String?

    /// The maximum number of transactions, the oldest first; nil for all.
    public var limit: Int?

    /// Makes a filter that selects everything.
    public init() {}

    /// The condition on rows of `ATRANSACTION`, with the values of its parameters.
    var condition: (sql: String, values: [SQLiteValue]) {
        var parts = ["t.Z_PK > ?1"]
        var values: [SQLiteValue] = [.integer(since?.transaction ?? -1)]
        if let after {
            values.append(.real(after))
            parts.append("t.ZTIMESTAMP >= ?\(values.count)")
        }
        if let before {
            values.append(.real(before))
            parts.append("t.ZTIMESTAMP < ?\(values.count)")
        }
        if let author {
            values.append(.string(author))
            parts.append("coalesce(a.ZNAME, t.ZAUTHOR) = ?\(values.count)")
        }
        return (parts.joined(separator: " AND "), values)
    }
}
