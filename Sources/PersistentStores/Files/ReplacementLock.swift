import Glibc
import SQLiteAccess

/// Exclusive hold on a store that is about to be replaced, with its write-ahead log folded into the main file.
///
/// A new main file must never meet an old `-wal`: SQLite would replay it. So the log goes first: SQLite itself
/// checkpoints and removes it, which fails where any other connection is open. Until the rename the old store is whole.
///
/// While it is held, nothing in this process may open and close the store's main file by other means: that would drop
/// the locks, which belong to the process and not to the connection.
public final class ReplacementLock {
    private let connection: Connection
    private let usedLog: Bool

    /// - Throws: `StoreError.locked` where another process has the store open or locked, `.readOnly` where it may not
    ///   be written; `changed()`'s error where the store is not as the fingerprint says.
    public init(
        on files: StoreFiles, unchangedSince fingerprint: StoreFingerprint, timeout: Int32,
        changed: () -> any Error
    ) throws {
        do {
            connection = try Connection(path: files.path, access: .readWrite, busyTimeout: timeout)
            // SQLite opens what may only be read for reading, and an exclusive transaction on it locks nobody out.
            guard !connection.isReadOnly else { throw StoreError(.readOnly, path: files.path) }
            // Nothing that a failure leaves may change the store.
            connection.setCheckpointOnClose(false)
            // In this mode the locks stay until the connection closes: nobody can write between the steps.
            _ = try connection.value("PRAGMA locking_mode = EXCLUSIVE")
            try connection.execute("BEGIN EXCLUSIVE")
            guard StoreFingerprint(of: files) == fingerprint else { throw changed() }
            try connection.execute("ROLLBACK")
            usedLog = try connection.value("PRAGMA journal_mode").string?.lowercased() == "wal"
            // Not DELETE: in exclusive mode SQLite would keep the journal of this change, and remove what has its name
            // when it closes. By then that may be the journal of whoever writes to the new file.
            let mode = try connection.value("PRAGMA journal_mode = TRUNCATE").string
            guard mode?.lowercased() == "truncate" else { throw StoreError(.locked, path: files.path) }
            try connection.execute("BEGIN EXCLUSIVE")
            // That journal, or one that a program keeps between its transactions: nobody is in one now.
            unlink(files.journal)
            // Left by a process that died; whoever has the store open in WAL mode would have kept us out.
            unlink(files.sharedMemory)
        } catch let error as SQLiteError {
            throw StoreError(error, path: files.path)
        }
    }

    /// Lets go of the store, which stays where it is, in the journal mode that it had.
    public func abandon() {
        try? connection.execute("ROLLBACK")
        connection.setCheckpointOnClose(true)
        for mode in usedLog ? ["DELETE", "WAL"] : ["DELETE"] {
            _ = try? connection.value("PRAGMA journal_mode = \(mode)")
        }
        try? connection.close()
    }

    /// Lets go of the old file; call it after the rename.
    public func release() {
        try? connection.execute("ROLLBACK")
        try? connection.close()
    }
}
