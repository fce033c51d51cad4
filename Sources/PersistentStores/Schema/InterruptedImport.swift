public import SQLiteAccess

/// An import that commits batch by batch, and has not come to its end: its progress stands in the store until then.
public enum InterruptedImport {
    /// The table with its progress.
    public static let table = "ferry_progress"

    /// Whether a store holds one. Whoever changes objects meanwhile takes from it what it has found.
    /// - Throws: `SQLiteError` if the store cannot be read.
    public static func isPresent(in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.value("SELECT 1 FROM main.sqlite_master WHERE name = ?", [.string(table)]) != .null
    }
}
