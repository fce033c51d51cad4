import SQLiteAccess

/// How many of the store's pages are kept in memory: few while rows are only appended or read in order.
struct StorePages {
    /// In KiB. Rows that are appended are not read again, and indexes are sorted in pieces of this size, two at a time.
    static let forRows = 4096
    /// In KiB. What is looked up by key lies anywhere.
    static let forKeys = 16384

    /// Batches whose objects were looked up by key; the first ones show in which order they come.
    private var searches = 0
    private static let fewSearches = 4

    /// Objects are about to be looked up by key.
    mutating func need(_ connection: Connection) throws(SQLiteError) {
        searches += 1
        if searches == Self.fewSearches { try enlarge(connection) }
    }

    mutating func enlarge(_ connection: Connection) throws(SQLiteError) {
        searches = Self.fewSearches
        try connection.execute("PRAGMA main.cache_size = -\(Self.forKeys)")
    }
}
