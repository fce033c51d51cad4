internal import CSQLite

/// The linked SQLite library.
public enum SQLiteLibrary {
    /// The version, such as `3.40.1`.
    public static var version: String { unsafe String(cString: sqlite3_libversion()) }

    /// Turns off SQLite's memory statistics: otherwise each allocation takes a lock, for which threads that read or
    /// write stores contend.
    ///
    /// This applies to the whole process, and disables `sqlite3_memory_used` and SQLite's heap limits; call it before
    /// the first use of SQLite. Returns whether the setting took effect, because SQLite was not in use yet.
    @discardableResult
    public static func omitMemoryStatistics() -> Bool {
        csqlite_configure_memory_statistics(0) == SQLITE_OK
    }
}
