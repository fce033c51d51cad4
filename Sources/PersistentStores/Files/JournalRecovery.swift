import SQLiteAccess

/// Ends the unfinished transaction of a program that died: what any program does that opens the store for writing.
public enum JournalRecovery {
    /// Rolls a hot journal back, where there is one.
    ///
    /// Returns whether there was.
    /// - Throws: `StoreError.locked` where another process is at it.
    public static func rollBack(_ files: StoreFiles, timeout: Int32 = LockTimeout.milliseconds) throws(StoreError)
        -> Bool
    {
        do {
            guard try DatabaseFile(path: files.path).hasHotJournal else { return false }
            let connection = try Connection(path: files.path, access: .readWrite, busyTimeout: timeout)
            // The first read does it.
            _ = try connection.value("SELECT count(*) FROM sqlite_master")
            try connection.close()
            return true
        } catch {
            throw StoreError(error, path: files.path)
        }
    }
}
