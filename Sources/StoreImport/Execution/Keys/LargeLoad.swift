import PersistentStores
import SQLiteAccess

/// A table of the store that gets so many new objects that rebuilding its indexes is faster than updating them.
///
/// If an index is larger than the cache, each new key requires reading and writing another page. Therefore the indexes
/// are dropped, and created again when all rows have been added. Until then, objects are looked up in the store as it
/// was before the import, which another connection still sees (this requires a write-ahead log). This is correct as
/// long as no key is repeated.
final class LargeLoad {
    /// The keys of the import so far.
    let history: KeyHistory
    /// The number of objects that were created.
    var inserted: Int64 = 0
    /// The largest possible number of objects in the table before the import.
    let storedObjects: Int64
    /// A connection to the earlier state of the store; nil while the indexes exist.
    private(set) var snapshot: Connection?

    private let limits: ImportLimits

    init(storedObjects: Int64, _ limits: ImportLimits) {
        self.storedObjects = storedObjects
        self.limits = limits
        history = KeyHistory(limits.keys.with(largestFilter: limits.largeFilterBytes))
    }

    /// Returns whether dropping the indexes is worthwhile, as far as the first records show.
    ///
    /// - Parameters:
    ///   - bytesRead: the number of bytes of these records.
    ///   - sourceBytes: the number of bytes of the whole source.
    func pays(bytesRead: Int64, sourceBytes: Int64) -> Bool {
        guard bytesRead > 0, sourceBytes > 0 else { return false }
        let expected = Double(inserted) * Double(sourceBytes) / Double(bytesRead)
        return expected * Double(limits.keysPerInsertion) >= Double(storedObjects)
    }

    /// Drops the indexes of the table; returns false if the earlier state of the store cannot be kept visible.
    func begin(_ table: String, _ connection: Connection, _ indexes: IndexKeeper) throws(SQLiteError) -> Bool {
        guard try connection.value("PRAGMA main.journal_mode").string == "wal" else { return false }
        guard
            let snapshot = try? Connection(
                path: connection.path, access: .readWrite, busyTimeout: LockTimeout.milliseconds)
        else { return false }
        try snapshot.execute("PRAGMA query_only = 1; PRAGMA cache_size = -\(limits.pages.largeLoad.search); BEGIN")
        // The first statement that reads determines the state that the connection sees.
        _ = try snapshot.value("SELECT count(*) FROM sqlite_master")
        try indexes.postpone(on: table)
        // The indexes are sorted in pieces of this size; a second thread would need another piece.
        try connection.execute("PRAGMA main.cache_size = -\(limits.pages.largeLoad.rows); PRAGMA threads = 0")
        self.snapshot = snapshot
        return true
    }

    /// Uses the current store again. The indexes are created next, so few pages are left for other purposes.
    func end(_ connection: Connection) throws(SQLiteError) {
        guard let snapshot else { return }
        self.snapshot = nil
        try snapshot.close()
        try connection.execute("PRAGMA main.cache_size = -\(limits.pages.rows)")
    }
}
