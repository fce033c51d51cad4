import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@Suite struct ReplacementLockTests {
    private struct Changed: Error {}

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
}
