import SQLiteAccess

/// The number of the store's pages that are kept in memory: few as long as rows are only appended or read in order.
struct StorePages {
    /// The limits in KiB, except for the number of searches.
    struct Limits: Sendable {
        /// The cache for rows. Appended rows are not read again, and indexes are sorted in two pieces of this size at a
        /// time.
        var rows = 4096
        /// The cache for look-ups by key, which access pages in any order.
        var keys = 16384
        /// The caches for a table whose indexes are rebuilt: for look-ups, and for rows that are appended or changed.
        var largeLoad = (search: 6144, rows: 3072)
        /// The number of batches whose objects are looked up by key before the cache grows. They show in which order
        /// the records come.
        var searches = 4
    }

    private let limits: Limits
    private var searches = 0

    init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Notes that objects are about to be looked up by key.
    mutating func need(_ connection: Connection) throws(SQLiteError) {
        searches += 1
        if searches == limits.searches { try enlarge(connection) }
    }

    mutating func enlarge(_ connection: Connection) throws(SQLiteError) {
        searches = max(searches, limits.searches)
        try connection.execute("PRAGMA main.cache_size = -\(limits.keys)")
    }
}
