import KeyedArchives
import SQLiteAccess

extension SQLiteStore {
    /// Changes the store's metadata in a transaction; the store must be opened for writing.
    func updateMetadata(_ change: (inout StoreMetadata) throws -> Void) throws {
        // Core Data has no triggers on bookkeeping tables; those of others must not run.
        connection.setTriggersEnabled(false)
        do {
            try connection.transaction {
                // Read again, because another process may have written to them since the store was opened.
                let old = try Self.metadata(of: connection, path: files.path)
                var new = old
                try change(&new)
                guard new != old else { return }
                let bytes = BinaryPropertyListWriter.bytes(for: .dictionary(new.entries))
                try connection.execute(
                    "UPDATE Z_METADATA SET Z_UUID = ?, Z_PLIST = ? "
                        + "WHERE rowid = (SELECT rowid FROM Z_METADATA LIMIT 1)",
                    [.string(new.uuid), .blob(bytes)])
                guard connection.changes == 1, try Self.metadata(of: connection, path: files.path) == new else {
                    throw StoreError(.metadataUnwritable("Z_METADATA does not keep them"), path: files.path)
                }
            }
            try connection.close()
        } catch let error as SQLiteError {
            throw StoreError(error, path: files.path)
        }
    }
}
