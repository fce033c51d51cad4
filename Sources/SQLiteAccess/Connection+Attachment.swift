internal import CSQLite

extension Connection {
    /// Attaches a database file under a schema name; `.readOnly` writes nothing, like a read-only connection.
    /// - Throws: `SQLiteError` as for opening a database; also if the text encoding differs from the main database's.
    public func attach(path attached: String, as name: String, access: Access) throws(SQLiteError) {
        let location = try DatabaseLocation(path: attached, mustExist: access == .readOnly || access == .readWrite)
        switch access {
        case .readWrite, .create, .createWithoutLocks:
            try location.checkJournal()
            // Without a name, SQLite would use the file system of the main database, which may be read-only.
            let system = unsafe sqlite3_vfs_find(nil).flatMap { unsafe String(validatingCString: $0.pointee.zName) }
            let parameters = access.parameters + (system.map { ["vfs=" + $0] } ?? [])
            try attach(uri: location.uri(parameters), of: attached, as: name)
        case .readOnly:
            try ReadOnlyRoute.open(location, busyTimeout: busyTimeout) { uri throws(SQLiteError) in
                try self.attach(uri: uri, of: attached, as: name)
                do throws(SQLiteError) {
                    unsafe try Self.readHeader(try self.open(), schema: name, path: attached)
                } catch {
                    try? self.detach(name)
                    throw error
                }
            }
        }
    }

    /// Detaches a database; there must be no unfinished statements on it, and no open transaction.
    /// - Throws: `SQLiteError` if there is no such database, or if it is in use.
    public func detach(_ name: String) throws(SQLiteError) {
        try execute("DETACH " + SQLiteIdentifier.quoted(name))
    }

    private func attach(uri: String, of attached: String, as name: String) throws(SQLiteError) {
        do throws(SQLiteError) {
            try execute("ATTACH ? AS " + SQLiteIdentifier.quoted(name), [.string(uri)])
        } catch {
            throw SQLiteError(code: error.code, message: error.message, path: attached)
        }
    }
}
