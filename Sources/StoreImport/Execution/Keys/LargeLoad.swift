import PersistentStores
import SQLiteAccess

/// A table of the store that gets so many new objects that rebuilding its indexes costs less than keeping them.
///
/// An index that is larger than the cache is read and written somewhere else for each new key. So the indexes go, and
/// come again when all rows are there; until then objects are looked up in the store as it was before the import, which
/// a connection of its own keeps seeing (a write-ahead log is needed). That is right while no key comes twice.
final class LargeLoad {
    /// The keys of the import so far.
    let history: KeyHistory
    /// How many objects it has made.
    var inserted: Int64 = 0
    /// The most objects that the table can have had before.
    let storedObjects: Int64
    /// The store as it was; nil while the indexes are there.
    private(set) var snapshot: Connection?

    private let limits: ImportLimits

    init(storedObjects: Int64, _ limits: ImportLimits) {
        self.storedObjects = storedObjects
        self.limits = limits
        history = KeyHistory(limits.keys.with(largestFilter: limits.largeFilterBytes))
    }

    /// Whether it pays, as far as the first records tell.
    ///
    /// - Parameters:
    ///   - bytesRead: what these records took of the source.
    ///   - sourceBytes: all that there is.
    func pays(bytesRead: Int64, sourceBytes: Int64) -> Bool {
        guard bytesRead > 0, sourceBytes > 0 else { return false }
        let expected = Double(inserted) * Double(sourceBytes) / Double(bytesRead)
        return expected * Double(limits.keysPerInsertion) >= Double(storedObjects)
    }

    /// Lets the indexes of the table go; false if the store cannot be seen as it was.
    func begin(_ table: String, _ connection: Connection, _ indexes: IndexKeeper) throws(SQLiteError) -> Bool {
        guard try connection.value("PRAGMA main.journal_mode").string == "wal" else { return false }
        guard
            let snapshot = try? Connection(
                path: connection.path, access: .readWrite, busyTimeout: LockTimeout.milliseconds)
        else { return false }
        try snapshot.execute("PRAGMA query_only = 1; PRAGMA cache_size = -\(limits.pages.largeLoad.search); BEGIN")
        // The first statement that reads decides what it sees.
        _ = try snapshot.value("SELECT count(*) FROM sqlite_master")
        try indexes.postpone(on: table)
        // The indexes are sorted in pieces of this size; a second thread would have a piece of its own.
        try connection.execute("PRAGMA main.cache_size = -\(limits.pages.largeLoad.rows); PRAGMA threads = 0")
        self.snapshot = snapshot
        return true
    }

    /// Sees the store as it is again; the indexes are to be made next, for which there are few pages.
    func end(_ connection: Connection) throws(SQLiteError) {
        guard let snapshot else { return }
        self.snapshot = nil
        try snapshot.close()
        try connection.execute("PRAGMA main.cache_size = -\(limits.pages.rows)")
    }
}
