import Glibc
import SQLiteAccess

/// Exclusive hold on a store that is about to be replaced, moved or removed, with its write-ahead log folded into the
/// main file.
///
/// A new main file must never meet an old `-wal`: SQLite would replay it. So the log goes first: SQLite itself
/// checkpoints and removes it, which fails where any other connection is open. Until the rename the old store is whole.
///
/// A connection that opened the file before it lost its name still has it, and SQLite finds its log and its journal by
/// the name: it would take those of the new store for its own. So a file is replaced only while a lease proves that no
/// process has it open, be it without any lock. Where there are no leases, the file that loses its name is in rollback
/// mode at least, in which SQLite refuses the next write of a connection whose file has moved.
///
/// While it is held, nothing in this process may open and close the store's main file by other means: that would drop
/// the locks, which belong to the process and not to the connection.
public final class ReplacementLock {
    /// nil once a lease has taken its place.
    private var connection: Connection?
    private let files: StoreFiles
    private let timeout: Int32

    /// nil if the file cannot be opened; closed after the connection.
    private var lease: FileLease?

    /// Whether the store is in WAL mode, which it gets back where it stays.
    let usesLog: Bool

    private var isSealed = false

    /// For copying the main file; closed after the connection.
    private var descriptor: Int32 = -1

    /// Takes hold of a store and seals it.
    ///
    /// - Throws: `StoreError.locked` where another process has the store open or locked, `.readOnly` where it may not
    ///   be written; `changed()`'s error where the store is not as the fingerprint says.
    public convenience init(
        on files: StoreFiles, unchangedSince fingerprint: StoreFingerprint, timeout: Int32,
        changed: () -> any Error
    ) throws {
        try self.init(holding: files, timeout: timeout) {
            guard StoreFingerprint(of: files) == fingerprint else { throw changed() }
        }
        try seal()
    }

    /// Takes hold of a store as it is at that moment; its journal mode stays.
    ///
    /// - Parameter check: called once no one else can write; what it throws ends the hold.
    /// - Throws: as `init(on:unchangedSince:timeout:changed:)`.
    init(holding files: StoreFiles, timeout: Int32, check: () throws -> Void = {}) throws {
        self.files = files
        self.timeout = timeout
        lease = FileLease(of: files.path)
        do {
            let connection = try Connection(path: files.path, access: .readWrite, busyTimeout: timeout)
            // SQLite opens what may only be read for reading, and an exclusive transaction on it locks no one out.
            guard !connection.isReadOnly else { throw StoreError(.readOnly, path: files.path) }
            // Nothing that a failure leaves may change the store.
            connection.setCheckpointOnClose(false)
            // In this mode the locks stay until the connection closes: no one can write between the steps.
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

    /// Folds the log in and leaves WAL mode: from here on the main file may lose its name.
    func seal() throws(StoreError) {
        guard let connection else { return }
        do throws(SQLiteError) {
            // Some bytes of the first page are all that changes, within one sector: whenever the power fails they are
            // the old ones or the new ones, so that no journal is needed, and the device is waited for only where a
            // log has pages for the main file. A journal in a file could also be taken for one of the new store.
            if (FileSystem.size(files.writeAheadLog) ?? 0) == 0 { try connection.execute("PRAGMA synchronous = OFF") }
            let mode = try connection.value("PRAGMA journal_mode = MEMORY").string
            isSealed = mode?.lowercased() == "memory"
            if isSealed { try connection.execute("BEGIN EXCLUSIVE") }
        } catch {
            throw StoreError(error, path: files.path)
        }
        guard isSealed else { throw StoreError(.locked, path: files.path) }
        // One that a program keeps between its transactions: no one is in one now.
        unlink(files.journal)
        // Left by a process that died; whoever has the store open in WAL mode would have kept us out.
        unlink(files.sharedMemory)
    }

    /// Copies the main file, with the log folded in, into a file that exists; the copy is in the store's journal mode.
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

    /// Lets a file take the place of the held store at once; the old file is gone then.
    ///
    /// - Parameter path: a file in the same folder, which loses this name.
    /// - Returns: why the folder's entry may not be durable; nil if it is. The file has its place all the same.
    /// - Throws: `StoreError.locked` where another process has the store open, or opens it at this moment: the store
    ///   and the file are where they were, and `abandon()` has to follow.
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

    /// Whether a process waits for the old file, which it found under the name that another one has now.
    private var isOpened: Bool { !(lease?.isWhole ?? true) }

    /// Gives the old file its name back, unless someone has opened the new one by it: no one may have either then.
    private func putBack(_ path: String) throws(StoreError) {
        guard let new = FileLease(of: files.path), (try? new.take()) != nil else { return }
        guard (try? FileSystem.exchange(path, files.path)) == true else { return }
        throw StoreError(.locked, path: files.path)
    }

    /// Exchanges the locks of SQLite for a lease; false where there are no leases, and the locks stay.
    ///
    /// - Throws: `StoreError.locked` where another process has the file open for longer than the timeout.
    private func takeLease() throws(StoreError) -> Bool {
        guard let lease, let connection else { return false }
        do throws(FileLease.Failure) {
            try lease.take()
        } catch {
            // The one is the connection; with others, a program has the store open that calls Ferry as a library.
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
        // Between the locks and the lease someone may have come and gone.
        guard StoreFingerprint(of: files) == fingerprint, !FileSystem.isThere(files.journal),
            (FileSystem.size(files.writeAheadLog) ?? 0) == 0
        else { throw StoreError(.locked, path: files.path) }
        return true
    }

    /// How long it waits before it asks for the lease again, in milliseconds.
    private static let pause = 5

    /// How long it asks at least, in milliseconds: a program that has closed the store may not have ended yet, and one
    /// that this process starts has its files open for a moment.
    private static let leastWait = 500

    /// Lets go of the store, which stays where it is, in the journal mode that it had.
    public func abandon() {
        if connection == nil {
            // Others may go on from here; whether the mode can be changed back is up to them.
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

    /// Lets go of the old file; call it after the rename.
    public func release() {
        try? connection?.execute("ROLLBACK")
        try? connection?.close()
        connection = nil
        lease = nil
    }
}
