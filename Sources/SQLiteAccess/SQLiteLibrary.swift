internal import CSQLite

/// SQLite as it is linked.
public enum SQLiteLibrary {
    /// Its version, as in `3.40.1`.
    public static var version: String { unsafe String(cString: sqlite3_libversion()) }

    /// Stops SQLite from counting the memory that the process has from it: each allocation would wait for one lock, which
    /// threads that read or write stores contend for.
    ///
    /// It is a setting of the process, which `sqlite3_memory_used` and SQLite's heap limits need to be on; call it before
    /// the first use of SQLite. Returns whether SQLite was not in use yet, and the setting took effect.
    @discardableResult
    public static func omitMemoryStatistics() -> Bool {
        csqlite_configure_memory_statistics(0) == SQLITE_OK
    }
}
