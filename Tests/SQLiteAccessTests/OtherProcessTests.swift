import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// Readers and writers beside a process of their own.
struct OtherProcessTests {
    @Test func aLiveWritersSnapshotIsReadWithoutTouchingItsFiles() throws {
        let fixture = try StoreFixture.checkpointed()
        let writer = try SQLiteSession(on: fixture.path)
        #expect(try writer.run("INSERT INTO T VALUES (2000, 'new')") == "")
        let before = try fixture.state()
        #expect(before.names == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
        do {
            let reader = try Connection(path: fixture.path, access: .readOnly)
            #expect(try reader.value("SELECT count(*) FROM T") == 1001)
        }
        #expect(try fixture.state() == before)
    }

    @Test func aSnapshotHoldsWhileAnotherProcessWrites() throws {
        let fixture = try StoreFixture.checkpointed()
        let writer = try SQLiteSession(on: fixture.path)
        #expect(try writer.run("INSERT INTO T VALUES (2000, 'new')") == "")
        let reader = try Connection(path: fixture.path, access: .readOnly)
        try reader.execute("BEGIN")
        #expect(try reader.value("SELECT i FROM T") == 1)
        #expect(try writer.run("DELETE FROM T; PRAGMA wal_checkpoint(TRUNCATE)").hasPrefix("1|"))
        #expect(try reader.value("SELECT count(*) FROM T") == 1001)
        #expect(try reader.value("PRAGMA integrity_check") == "ok")
        try reader.execute("COMMIT")
        #expect(try reader.value("SELECT count(*) FROM T") == 0)
        #expect(try writer.run("PRAGMA wal_checkpoint(TRUNCATE)") == "0|0|0\n")
    }

    @Test func aWriterThatWasKilledLeavesARecoverableStore() throws {
        let fixture = try StoreFixture.checkpointed()
        let writer = try SQLiteSession(on: fixture.path)
        _ = try writer.run("INSERT INTO T VALUES (2000, 'new'); BEGIN; INSERT INTO T VALUES (2001, 'lost')")
        writer.kill()
        let before = try fixture.state()
        let reader = try Connection(path: fixture.path, access: .readOnly)
        #expect(try reader.value("SELECT count(*) FROM T") == 1001)
        try reader.close()
        #expect(try fixture.state() == before)
    }

    @Test func aWriterThatBeginsLaterIsFollowed() throws {
        let fixture = try StoreFixture.withLog(leaving: ["-wal", "-shm"])
        let reader = try Connection(path: fixture.path, access: .readOnly)
        #expect(try reader.value("SELECT count(*) FROM T") == 1500)
        let writer = try SQLiteSession(on: fixture.path)
        #expect(try writer.run("DELETE FROM T WHERE i > 100; PRAGMA wal_checkpoint(TRUNCATE)") == "0|0|0\n")
        #expect(try reader.value("SELECT count(*) FROM T") == 100)
    }

    @Test func anExclusiveWriterInWALModeMakesTheFileBusy() throws {
        let fixture = try StoreFixture.checkpointed()
        let writer = try SQLiteSession(on: fixture.path)
        _ = try writer.run("PRAGMA locking_mode = EXCLUSIVE; INSERT INTO T VALUES (2000, 'new')")
        let error = #expect(throws: SQLiteError.self) {
            try Connection(path: fixture.path, access: .readOnly, busyTimeout: 20)
        }
        #expect(error?.isBusy == true)
    }

    @Test func aWriterInRollbackModeMakesTheFileBusy() throws {
        let fixture = try StoreFixture()
        try StoreFixture.makeTable(Connection(path: fixture.path, access: .create), journalMode: "DELETE")
        let writer = try SQLiteSession(on: fixture.path)
        _ = try writer.run("PRAGMA cache_size = 1; BEGIN; UPDATE T SET t = 'x'")
        #expect(try !DatabaseFile(path: fixture.path).hasHotJournal)
        let error = #expect(throws: SQLiteError.self) { try Connection(path: fixture.path, access: .readOnly) }
        #expect(error?.isBusy == true)
        writer.kill()
        #expect(try DatabaseFile(path: fixture.path).hasHotJournal)
        let reader = try Connection(path: fixture.path, access: .readOnly)
        #expect(try reader.value("SELECT count(*) FROM T WHERE t LIKE 'row%'") == 1000)
    }

    /// POSIX drops a process's locks on a file when it closes any descriptor of it.
    @Test(arguments: ["DELETE", "WAL"])
    func inspectingAndReadingKeepTheLocksOfThisProcess(_ journalMode: String) throws {
        let fixture = try StoreFixture()
        let holder = try Connection(path: fixture.path, access: .create)
        try StoreFixture.makeTable(holder, journalMode: journalMode)
        try holder.execute("BEGIN IMMEDIATE; INSERT INTO T VALUES (5000, 'mine')")
        _ = try DatabaseFile(path: fixture.path)
        let reader = try Connection(path: fixture.path, access: .readOnly)
        #expect(try reader.value("SELECT count(*) FROM T") == 1000)
        try reader.close()
        let other = try SQLiteSession(on: fixture.path)
        #expect(try other.run("BEGIN IMMEDIATE").contains("locked"))
        try holder.execute("COMMIT")
        #expect(try other.run("BEGIN IMMEDIATE") == "")
    }

    /// The last connection to a WAL database deletes the log; this one must see that it is not the last.
    @Test func readingFromACopiedStateDoesNotLoseALaterWritersLocks() throws {
        let fixture = try StoreFixture.withLog(leaving: ["-wal"])
        let reader = try Connection(path: fixture.path, access: .readOnly)
        let holder = try Connection(path: fixture.path, access: .readWrite)
        try holder.execute("INSERT INTO T VALUES (5000, 'mine')")
        try reader.close()
        do {
            let other = try SQLiteSession(on: fixture.path)
            #expect(try other.run("SELECT count(*) FROM T") == "1501\n")
        }
        #expect(FileManager.default.fileExists(atPath: fixture.path + "-wal"))
        try holder.execute("INSERT INTO T VALUES (5001, 'mine')")
        #expect(try holder.value("PRAGMA integrity_check") == "ok")
    }
}
