import SQLiteAccess

/// Which transactions and changes of persistent history are read.
public struct HistoryFilter: Sendable {
    /// Only transactions that come after this token; nil for all.
    public var since: HistoryToken?

    /// Only transactions from this moment on, itself included, in seconds since 2001; nil for all.
    public var after: Double?
    /// Only transactions before this moment, in seconds since 2001; nil for all.
    public var before: Double?

    /// Only transactions of this author; nil for all.
    public var author: String?

    /// Only changes of this entity's objects and those of its subentities, and transactions that have some; nil for
    /// all.
    public var entity: String?

    /// The greatest number of transactions, the oldest first; nil for all.
    public var limit: Int?

    /// Makes a filter that lets everything through.
    public init() {}

    /// The condition on rows of `ATRANSACTION`, with its values.
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
