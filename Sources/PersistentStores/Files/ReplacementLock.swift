import SQLiteAccess

/// Exclusive hold on a store that is about to be replaced, with its write-ahead log folded into the main file.
///
/// A new main file must never meet an old `-wal`: SQLite would replay it. So the log goes first: SQLite itself checkpoints
/// and removes it, which fails where any other connection is open. Until the rename the old store is whole.
public final class ReplacementLock {
    private let connection: Connection

    /// - Throws: `StoreError.locked` where another process has the store open or locked; `changed()`'s error where the store
    ///   is not as the fingerprint says.
    public init(
        on files: StoreFiles, unchangedSince fingerprint: StoreFingerprint, timeout: Int32,
        changed: () -> any Error
    ) throws {
        do {
            connection = try Connection(path: files.path, access: .readWrite, busyTimeout: timeout)
            connection.setCheckpointOnClose(false)
            try connection.execute("BEGIN EXCLUSIVE")
            guard StoreFingerprint(of: files) == fingerprint else {
                try? connection.execute("ROLLBACK")
                throw changed()
            }
            let version = try connection.value("PRAGMA data_version")
            try connection.execute("ROLLBACK")
            let mode = try connection.value("PRAGMA journal_mode = DELETE").string
            guard mode?.lowercased() == "delete" else { throw StoreError(.locked, path: files.path) }
            try connection.execute("BEGIN EXCLUSIVE")
            guard try connection.value("PRAGMA data_version") == version else { throw changed() }
        } catch let error as SQLiteError {
            throw StoreError(error, path: files.path)
        }
    }

    /// Lets go of the old file; call it after the rename.
    public func release() {
        try? connection.execute("ROLLBACK")
        try? connection.close()
    }
}
