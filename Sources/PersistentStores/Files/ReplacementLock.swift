import Glibc
import SQLiteAccess

/// An exclusive hold on a store that is about to be replaced, moved or removed, with its write-ahead log folded into
/// the main file.
///
/// A new main file must never meet an old `-wal`: SQLite would replay it. So the log goes first: SQLite itself
/// checkpoints and removes it, which fails if any other connection is open. Until the rename, the old store is
/// complete.
///
/// A connection that opened the old file keeps it open after the rename, and SQLite finds the log and the journal by
/// name: it would take those of the new store for its own. So a file is replaced only while a lease proves that no
/// process has it open, even without a lock. If there are no leases, the old file is at least in rollback mode, in
/// which SQLite refuses the next write of a connection whose file has moved.
///
/// While the hold lasts, no other code in this process may open and close the store's main file: that would drop the
/// locks, which belong to the process and not to the connection.
public final class ReplacementLock {
    /// nil after a lease has replaced it.
    private var connection: Connection?
    private let files: StoreFiles
    private let timeout: Int32

    /// nil if the file cannot be opened; closed after the connection.
    private var lease: FileLease?

    /// Whether the store is in WAL mode, which is restored if the store stays.
    let usesLog: Bool

    private var isSealed = false

    /// For copying the main file; closed after the connection.
    private var descriptor: Int32 = -1

    /// Acquires the hold on a store, and seals the store.
    ///
    /// - Throws: `StoreError.locked` if another process has the store open or locked, `.readOnly` if it may not be
    ///   written; the error of `changed()` if the store no longer matches the fingerprint.
    public convenience init(
        on files: StoreFiles, unchangedSince fingerprint: StoreFingerprint, timeout: Int32,
        changed: () -> any Error
    ) throws {
        try self.init(holding: files, timeout: timeout) {
            guard StoreFingerprint(of: files) == fingerprint else { throw changed() }
        }
        try seal()
    }

    /// Acquires the hold on a store in its current state, and leaves its journal mode unchanged.
    ///
    /// - Parameter check: called when no other process can write any more; an error that it throws ends the hold.
    /// - Throws: as `init(on:unchangedSince:timeout:changed:)`.
    init(holding files: StoreFiles, timeout: Int32, check: () throws -> Void = {}) throws {
        self.files = files
        self.timeout = timeout
        lease = FileLease(of: files.path)
        do {
            let connection = try Connection(path: files.path, access: .readWrite, busyTimeout: timeout)
            // SQLite opens a file that may only be read as read-only, and an exclusive transaction on it excludes no
            // other process.
            guard !connection.isReadOnly else { throw StoreError(.readOnly, path: files.path) }
            // After a failure nothing may still change the store.
            connection.setCheckpointOnClose(false)
            // In this mode the locks stay until the connection closes, so no other process can write between the steps.
            _ = try connection.value("PRAGMA locking_mode = EXCLUSIVE")
            try connection.execute("BEGIN EXCLUSIVE")
            try check()
            try connection.execute("ROLLBACK")
            usesLog = try connection.value("PRAGMA journal_mode").string?.lowercased() == "wal"
            self.connection = connection
        } catch let error as SQLiteError {
            throw StoreError(error, path: files.path)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Checkpoints the log and leaves WAL mode; after this the main file may be renamed.
    func seal() throws(StoreError) {
        guard let connection else { return }
        do throws(SQLiteError) {
            // Only some bytes of the first page change, within one sector: if the power fails, they are either the old
            // or the new ones. So no journal is needed, and the device has to be synchronized only if the log has pages
            // for the main file. A journal file could also be taken for one of the new store.
            if (FileSystem.size(files.writeAheadLog) ?? 0) == 0 { try connection.execute("PRAGMA synchronous = OFF") }
            let mode = try connection.value("PRAGMA journal_mode = MEMORY").string
            isSealed = mode?.lowercased() == "memory"
            if isSealed { try connection.execute("BEGIN EXCLUSIVE") }
        } catch {
            throw StoreError(error, path: files.path)
        }
        guard isSealed else { throw StoreError(.locked, path: files.path) }
        // A journal file that a program keeps between its transactions; no transaction is in progress now.
        unlink(files.journal)
        // Left by a process that died: a process that has the store open in WAL mode would have prevented the lock.
        unlink(files.sharedMemory)
    }

    /// Copies the main file, including the checkpointed log, into an existing file; the copy has the store's journal
    /// mode.
    func copy(into path: String, isCancelled: (() -> Bool)?) throws(StoreError) {
        if usesLog, !isSealed { try fold() }
        do throws(FileError) {
            if descriptor < 0 { descriptor = open(files.path, O_RDONLY | O_CLOEXEC) }
            guard descriptor >= 0 else { throw FileError(.open, files.path) }
            try FileSystem.copyContents(of: descriptor, files.path, into: path, isCancelled: isCancelled)
        } catch {
            throw StoreError(error)
        }
    }

    private func fold() throws(StoreError) {
        let busy: SQLiteValue?
        do throws(SQLiteError) {
            busy = try connection?.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first
        } catch {
            throw StoreError(error, path: files.path)
        }
        guard busy == .integer(0), (FileSystem.size(files.writeAheadLog) ?? 0) == 0 else {
            throw StoreError(.locked, path: files.path)
        }
    }

    /// Replaces the held store by a file, atomically; the old file is removed.
    ///
    /// - Parameter path: a file in the same folder, which is renamed.
    /// - Returns: why the folder's entry may not be durable; nil if it is. The file is in its place in either case.
    /// - Throws: `StoreError.locked` if another process has the store open, or opens it at this moment: the store and
    ///   the file are then where they were, and the caller must call `abandon()`.
    func replace(by path: String) throws(StoreError) -> FileError? {
        let isLeased = try takeLease()
        do throws(FileError) {
            guard try FileSystem.exchange(path, files.path) else {
                try FileSystem.rename(path, to: files.path)
                return FileSystem.durabilityProblem(ofEntriesIn: files.directory)
            }
        } catch {
            throw StoreError(error)
        }
        if isLeased, isOpened { try putBack(path) }
        let unsynchronized = FileSystem.durabilityProblem(ofEntriesIn: files.directory)
        if isLeased, isOpened { try putBack(path) }
        unlink(path)
        return unsynchronized
    }

    /// Whether a process is waiting to open the old file, which it found under the name that the new file has now.
    private var isOpened: Bool { !(lease?.isWhole ?? true) }

    /// Gives the old file its name back, unless a process has opened the new one by that name: then neither file may be
    /// opened.
    private func putBack(_ path: String) throws(StoreError) {
        guard let new = FileLease(of: files.path), (try? new.take()) != nil else { return }
        guard (try? FileSystem.exchange(path, files.path)) == true else { return }
        throw StoreError(.locked, path: files.path)
    }

    /// Exchanges the locks of SQLite for a lease; returns false, and keeps the locks, if leases are not available.
    ///
    /// - Throws: `StoreError.locked` if another process has the file open for longer than the timeout.
    private func takeLease() throws(StoreError) -> Bool {
        guard let lease, let connection else { return false }
        do throws(FileLease.Failure) {
            try lease.take()
        } catch {
            // One open descriptor is this connection's; if there are more, a program that uses Ferry as a library has
            // the store open itself.
            guard error == .isOpen, lease.openCountHere <= 1 else { return false }
        }
        let fingerprint = StoreFingerprint(of: files)
        try? connection.execute("ROLLBACK")
        try? connection.close()
        self.connection = nil
        var time = timespec(tv_sec: 0, tv_nsec: Self.pause * 1_000_000)
        for round in 0... {
            do throws(FileLease.Failure) {
                try lease.take()
                break
            } catch {
                guard round * Self.pause < max(Int(timeout), Self.leastWait) else {
                    throw StoreError(.locked, path: files.path)
                }
                nanosleep(&time, nil)
            }
        }
        // Another process may have written to the store between the locks and the lease.
        guard StoreFingerprint(of: files) == fingerprint, !FileSystem.isThere(files.journal),
            (FileSystem.size(files.writeAheadLog) ?? 0) == 0
        else { throw StoreError(.locked, path: files.path) }
        return true
    }

    /// How long to wait before the lease is requested again, in milliseconds.
    private static let pause = 5

    /// The minimum time for which the lease is requested, in milliseconds: a program that has closed the store may
    /// still be ending, and a child process has inherited files open for a moment after it starts.
    private static let leastWait = 500

    /// Releases the store, which stays in its place, in its previous journal mode.
    public func abandon() {
        if connection == nil {
            // Other processes may use the store from here on; whether the mode can be restored depends on them.
            lease = nil
            connection = try? Connection(path: files.path, access: .readWrite, busyTimeout: timeout)
        }
        try? connection?.execute("ROLLBACK")
        connection?.setCheckpointOnClose(true)
        try? connection?.execute("PRAGMA synchronous = FULL")
        if isSealed {
            for mode in usesLog ? ["DELETE", "WAL"] : ["DELETE"] {
                _ = try? connection?.value("PRAGMA journal_mode = \(mode)")
            }
        }
        release()
    }

    /// Releases the old file; call it after the rename.
    public func release() {
        try? connection?.execute("ROLLBACK")
        try? connection?.close()
        connection = nil
        lease = nil
    }
}
