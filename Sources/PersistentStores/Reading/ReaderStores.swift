import SQLiteAccess

extension SQLiteStore {
    /// Opens more connections to the store that see the same state as this one's transaction, for other threads;
    /// returns an empty list if that state is not certain to be the same.
    ///
    /// In rollback mode the transaction of this store prevents all processes from changing the file. A log or a journal
    /// that is not empty may mean another state, and connections do not see the uncommitted changes of others.
    /// - Parameter count: the number of stores, each in a transaction.
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
