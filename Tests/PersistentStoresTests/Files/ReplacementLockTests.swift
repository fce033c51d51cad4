import Glibc
import SQLiteAccess
import TestSupport
import Testing
import Threading

@testable import PersistentStores

@Suite struct ReplacementLockTests {
    private struct Changed: Error {}

    private static func inode(_ path: String) -> UInt? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt(status.st_ino) : nil
    }

    private static func store(_ directory: TemporaryDirectory, mode: String) throws -> StoreFiles {
        let path = directory.file("Store.sqlite")
        let connection = try Connection(path: path, access: .create)
        _ = try connection.value("PRAGMA journal_mode = \(mode)")
        try connection.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        // As an app that was killed: what it wrote is in the log.
        connection.setCheckpointOnClose(false)
        try connection.close()
        return StoreFiles(path)
    }

    @Test(arguments: ["WAL", "DELETE"])
    func theLogIsInTheMainFileThen(mode: String) throws {
        let directory = try TemporaryDirectory()
        let files = try Self.store(directory, mode: mode)
        let fingerprint = StoreFingerprint(of: files, isSettled: true)
        let lock = try ReplacementLock(on: files, unchangedSince: fingerprint, timeout: 0) { Changed() }
        #expect((FileSystem.size(files.writeAheadLog) ?? 0) == 0)
        #expect(!FileSystem.exists(files.sharedMemory))
        lock.release()
        let connection = try Connection(path: files.path, access: .readOnly)
        #expect(try connection.value("SELECT x FROM t") == .integer(1))
    }

    @Test func aChangeSinceTheLookIsNoticed() throws {
        let directory = try TemporaryDirectory()
        let files = try Self.store(directory, mode: "WAL")
        let fingerprint = StoreFingerprint(of: files, isSettled: true)
        let writer = try Connection(path: files.path, access: .readWrite)
        try writer.execute("INSERT INTO t VALUES (2)")
        try writer.close()
        #expect(throws: Changed.self) {
            try ReplacementLock(on: files, unchangedSince: fingerprint, timeout: 0) { Changed() }
        }
        let connection = try Connection(path: files.path, access: .readOnly)
        #expect(try connection.value("SELECT count(*) FROM t") == .integer(2))
    }

    /// The journal of whoever writes to the new file has the name that the old one's had.
    @Test(arguments: ["WAL", "DELETE", "PERSIST"])
    func leavesAloneWhatHasTheJournalsNameAfterTheReplacement(mode: String) throws {
        let directory = try TemporaryDirectory()
        let files = try Self.store(directory, mode: mode)
        let fingerprint = StoreFingerprint(of: files, isSettled: true)
        let lock = try ReplacementLock(on: files, unchangedSince: fingerprint, timeout: 0) { Changed() }
        #expect(try FileSystem.names(in: directory.path) == [files.name])
        try directory.write("journal of another process", to: files.name + "-journal")
        lock.release()
        #expect(FileSystem.exists(files.journal))
    }

    @Test func leavesTheJournalModeWhereTheStoreStays() throws {
        let directory = try TemporaryDirectory()
        let files = try Self.store(directory, mode: "WAL")
        let fingerprint = StoreFingerprint(of: files, isSettled: true)
        try ReplacementLock(on: files, unchangedSince: fingerprint, timeout: 0) { Changed() }.abandon()
        #expect(try DatabaseFile(path: files.path).usesWriteAheadLog)
        #expect(try FileSystem.names(in: directory.path) == [files.name])
    }

    /// A program that has the file open, and no lock on it.
    @Test(arguments: ["WAL", "DELETE"])
    func aFileThatAnotherProcessHasOpenIsNotReplaced(mode: String) throws {
        let directory = try TemporaryDirectory()
        let files = try Self.store(directory, mode: mode)
        let staged = directory.file(".staged")
        try FileSystem.copyFile(files.path, to: staged, isCancelled: nil)
        let (old, new) = (Self.inode(files.path), Self.inode(staged))
        let reader = try SQLiteSession(on: files.path, running: "SELECT 1;")
        let fingerprint = StoreFingerprint(of: files, isSettled: true)
        let lock = try ReplacementLock(on: files, unchangedSince: fingerprint, timeout: 20) { Changed() }
        #expect(throws: StoreError.self) { try lock.replace(by: staged) }
        lock.abandon()
        #expect(Self.inode(files.path) == old)
        #expect(Self.inode(staged) == new)
        #expect(try DatabaseFile(path: files.path).usesWriteAheadLog == (mode == "WAL"))
        reader.close()

        let again = try ReplacementLock(
            on: files, unchangedSince: StoreFingerprint(of: files, isSettled: true), timeout: 0
        ) { Changed() }
        #expect(try again.replace(by: staged) == nil)
        again.release()
        #expect(Self.inode(files.path) == new)
        #expect(try FileSystem.names(in: directory.path) == [files.name])
    }

    /// A program that uses the library, and has the store open: its own connections do no harm.
    @Test func aFileThatThisProcessHasOpenIsReplaced() throws {
        let directory = try TemporaryDirectory()
        let files = try Self.store(directory, mode: "DELETE")
        let staged = directory.file(".staged")
        try FileSystem.copyFile(files.path, to: staged, isCancelled: nil)
        let new = Self.inode(staged)
        let fingerprint = StoreFingerprint(of: files, isSettled: true)
        let own = open(files.path, O_RDONLY | O_CLOEXEC)
        let lock = try ReplacementLock(on: files, unchangedSince: fingerprint, timeout: 0) { Changed() }
        #expect(try lock.replace(by: staged) == nil)
        lock.release()
        close(own)
        #expect(Self.inode(files.path) == new)
    }

    @Test func whoOpensTheFileWaitsUntilTheLeaseEnds() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("file")
        try directory.write("content", to: "file")
        var lease = FileLease(of: path)
        try #require(lease).take()
        #expect(lease?.isWhole == true)
        let opened = BufferExchange<Int, Int32>([0])
        try WorkerThread.start { opened.put(open(path, O_RDONLY)) }
        // The system takes the lease back as soon as the other one asks for the file, and lets it wait.
        while lease?.isWhole == true { sched_yield() }
        #expect(opened.next(within: 0) == nil)
        lease = nil
        let descriptor = opened.next()
        #expect(descriptor >= 0)
        let again = try #require(FileLease(of: path))
        #expect(throws: FileLease.Failure.isOpen) { try again.take() }
        close(descriptor)
        #expect(throws: Never.self) { try again.take() }
    }
}
