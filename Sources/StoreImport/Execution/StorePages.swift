import SQLiteAccess

/// How many of the store's pages are kept in memory: few while rows are only appended or read in order.
struct StorePages {
    /// In KiB, but for the number of searches.
    struct Limits: Sendable {
        /// Rows that are appended are not read again, and indexes are sorted in pieces of this size, two at a time.
        var rows = 4096
        /// What is looked up by key lies anywhere.
        var keys = 16384
        /// Of a table whose indexes are rebuilt: what look-ups have, and what rows have that are appended or
        /// changed.
        var largeLoad = (search: 6144, rows: 3072)
        /// Batches whose objects were looked up by key before the cache grows: they show in which order they come.
        var searches = 4
    }

    private let limits: Limits
    private var searches = 0

    init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Objects are about to be looked up by key.
    mutating func need(_ connection: Connection) throws(SQLiteError) {
        searches += 1
        if searches == limits.searches { try enlarge(connection) }
    }

    mutating func enlarge(_ connection: Connection) throws(SQLiteError) {
        searches = max(searches, limits.searches)
        try connection.execute("PRAGMA main.cache_size = -\(limits.keys)")
    }
}
