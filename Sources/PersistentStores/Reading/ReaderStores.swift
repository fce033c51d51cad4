import SQLiteAccess

extension SQLiteStore {
    /// Opens the store some more times, in the state that this one's transaction sees, so that threads read it together;
    /// none where that state is not sure to be the same.
    ///
    /// In rollback mode the transaction of this store lets no process change the file. A log or a journal that has anything
    /// in it may say otherwise, and what another connection has changed and not committed is not seen.
    /// - Parameter count: how many stores are wanted, each in a transaction.
    package func readers(_ count: Int) -> [SQLiteStore] {
        guard connection.isInTransaction, connection.isReadOnly, isUnchanged else { return [] }
        var readers: [SQLiteStore] = []
        for _ in 0..<count {
            guard let reader = try? SQLiteStore(path: files.path), (try? reader.connection.execute("BEGIN")) != nil,
                (try? reader.connection.value("SELECT count(*) FROM sqlite_schema")) != nil
            else { return [] }
            readers.append(reader)
        }
        return isUnchanged ? readers : []
    }

    private var isUnchanged: Bool {
        !connection.hasMoved
            && [files.writeAheadLog, files.journal].allSatisfy { (FileSystem.size($0) ?? 0) == 0 }
    }
}
