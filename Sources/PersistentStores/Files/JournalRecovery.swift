import SQLiteAccess

/// Ends the unfinished transaction of a program that died: what any program does that opens the store for writing.
public enum JournalRecovery {
    /// Rolls a hot journal back, where there is one.
    ///
    /// Returns whether there was.
    /// - Throws: `StoreError.locked` where another process is at it; what opening the store for reading throws where what
    ///   the journal leaves is no store: a journal that someone has planted can say anything. The files stay then.
    public static func rollBack(_ files: StoreFiles, timeout: Int32 = LockTimeout.milliseconds) throws(StoreError)
        -> Bool
    {
        do {
            guard try DatabaseFile(path: files.path).hasHotJournal else { return false }
            // A private copy of the store, rolled back, is looked at first.
            _ = try SQLiteStore(path: files.path)
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
