public import SQLiteAccess

/// An import that commits batch by batch and has not been completed: until then, the store contains its progress.
public enum InterruptedImport {
    /// The table that contains the progress.
    public static let table = "ferry_progress"

    /// Returns whether a store contains one. Changing objects meanwhile invalidates what the import has found.
    /// - Throws: `SQLiteError` if the store cannot be read.
    public static func isPresent(in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.value("SELECT 1 FROM main.sqlite_master WHERE name = ?", [.string(table)]) != .null
    }
}
