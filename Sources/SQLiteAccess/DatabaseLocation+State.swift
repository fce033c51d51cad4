extension DatabaseLocation {
    /// Returns whether there is a journal that a dead writer left, by SQLite's test ("Hot Rollback Journals" in its
    /// documentation):
    ///
    /// 1. there is a journal, and its header is not zeroed;
    /// 2. no one holds a reserved lock on the database file, hence no writer is at work;
    /// 3. the database file is not empty.
    func hasHotJournal(_ file: DatabaseFileHandle) throws(SQLiteError) -> Bool {
        guard try file.size() > 0, (try SystemFile.size(of: journal, for: given) ?? 0) > 0 else { return false }
        guard let journal = try LockFreeFile(journal, for: given) else { return false }
        guard try journal.read(1, at: 0) != [0] else { return false }
        return try !file.isReserved()
    }

    /// Checks a journal that a connection for writing would roll back.
    ///
    /// - Throws: "corrupt" if it cannot belong to this database.
    func checkJournal() throws(SQLiteError) {
        guard let size, size > 0, (try SystemFile.size(of: journal, for: given) ?? 0) > 0 else { return }
        let file = try DatabaseFileHandle(self)
        guard try hasHotJournal(file), let journal = try RollbackJournal(of: self) else { return }
        try journal.checkSizes(file)
        try journal.checkSuperJournal()
    }
}
