internal import CSQLite

/// SQLite as it is linked.
public enum SQLiteLibrary {
    /// Its version, as in `3.40.1`.
    public static var version: String { unsafe String(cString: sqlite3_libversion()) }
}
