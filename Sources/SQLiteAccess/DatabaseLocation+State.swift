extension DatabaseLocation {
    /// SQLite's test for a journal that a dead writer left behind ("Hot Rollback Journals" in its documentation):
    ///
    /// 1. there is a journal, and its header is not zeroed;
    /// 2. nobody holds a reserved lock on the database file, hence no writer is at work;
    /// 3. the database file is not empty.
    func hasHotJournal(_ file: DatabaseFileHandle) throws(SQLiteError) -> Bool {
        guard try file.size() > 0, (try SystemFile.size(of: journal, for: given) ?? 0) > 0 else { return false }
        guard let journal = try LockFreeFile(journal, for: given) else { return false }
        guard try journal.read(1, at: 0) != [0] else { return false }
        return try !file.isReserved()
    }
}
