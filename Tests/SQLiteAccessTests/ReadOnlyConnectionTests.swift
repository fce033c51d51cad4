import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// Reading finds all that was committed, and leaves names, times and bytes as they were.
@Suite struct ReadOnlyConnectionTests {
    private func count(_ fixture: StoreFixture) throws -> Int64? {
        let before = try fixture.state()
        let connection = try Connection(path: fixture.path, access: .readOnly)
        #expect(connection.isReadOnly)
        let count = try connection.value("SELECT count(*) FROM T").integer
        #expect(try connection.value("PRAGMA integrity_check") == "ok")
        #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM T") }
        #expect(throws: SQLiteError.self) { try connection.execute("CREATE TABLE U(i)") }
        _ = try? connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        _ = try? connection.rows("PRAGMA journal_mode = DELETE")
        _ = try? connection.rows("PRAGMA journal_mode = WAL")
        try? connection.execute("VACUUM")
        #expect(try fixture.state() == before)
        try connection.close()
        #expect(try fixture.state() == before)
        return count
    }

    @Test func aFileInRollbackMode() throws {
        let fixture = try StoreFixture()
        let writer = try Connection(path: fixture.path, access: .create)
        try StoreFixture.makeTable(writer, journalMode: "DELETE")
        #expect(try count(fixture) == 1000)
    }

    @Test func aFileInWALModeWithNothingBesideIt() throws {
        #expect(try count(.checkpointed()) == 1000)
    }

    @Test(arguments: [["-wal"], ["-wal", "-shm"]])
    func aFileWithALogThatAWriterLeft(_ suffixes: [String]) throws {
        #expect(try count(.withLog(leaving: suffixes)) == 1500)
    }

    @Test(arguments: [["-wal"], ["-wal", "-shm"]])
    func framesThatWereNotCommittedAreNotRead(_ suffixes: [String]) throws {
        let fixture = try StoreFixture.withLog(leaving: suffixes, uncommitted: true)
        #expect((try DatabaseFile(path: fixture.path).writeAheadLogSize ?? 0) > 4096)
        #expect(try count(fixture) == 1000)
    }

    @Test(arguments: [0, 1, 31, 32, 33, 500], [true, false])
    func aLogThatIsCutShortIsReadAsFarAsItGoes(_ length: Int, _ hasSharedMemory: Bool) throws {
        let fixture = try StoreFixture.withLog(leaving: hasSharedMemory ? ["-wal", "-shm"] : ["-wal"])
        let handle = try #require(FileHandle(forWritingAtPath: fixture.path + "-wal"))
        try handle.truncate(atOffset: UInt64(length))
        try handle.close()
        #expect(try count(fixture) == 1000)
    }

    @Test(arguments: [0, 3, 9, 14, 17, 24, 31, 32, 40, 50, 100, 5000], [true, false])
    func aLogWithADamagedByteIsReadUpToIt(_ offset: Int, _ hasSharedMemory: Bool) throws {
        let fixture = try StoreFixture.withLog(leaving: hasSharedMemory ? ["-wal", "-shm"] : ["-wal"])
        var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: fixture.path + "-wal")))
        bytes[offset] ^= 0x55
        try fixture.directory.write(bytes, to: "store.sqlite-wal")
        #expect(try count(fixture) == 1000)
    }

    @Test(arguments: [0, 0x37, 0xff] as [UInt8], [true, false])
    func aLogOfNonsenseIsPassedOver(_ byte: UInt8, _ hasSharedMemory: Bool) throws {
        let fixture = try StoreFixture.withLog(leaving: hasSharedMemory ? ["-wal", "-shm"] : ["-wal"])
        try fixture.directory.write([UInt8](repeating: byte, count: 9000), to: "store.sqlite-wal")
        #expect(try count(fixture) == 1000)
    }

    @Test(arguments: [[UInt8](), [UInt8](repeating: 0xff, count: 100), [UInt8](repeating: 0, count: 32768)])
    func aBrokenIndexOfTheLogIsNotTrusted(_ bytes: [UInt8]) throws {
        let fixture = try StoreFixture.withLog(leaving: ["-wal"])
        try fixture.directory.write(bytes, to: "store.sqlite-shm")
        #expect(try count(fixture) == 1500)
    }

    @Test(arguments: [true, false], [1024, 4096])
    func aLogOfAnotherDatabaseIsReadAsAWriterReadsIt(_ hasSharedMemory: Bool, _ pageSize: Int) throws {
        let fixture = try StoreFixture.withLog(leaving: hasSharedMemory ? ["-wal", "-shm"] : ["-wal"])
        let foreign = try StoreFixture()
        let writer = try Connection(path: foreign.path, access: .create)
        try writer.execute("PRAGMA page_size = \(pageSize)")
        try StoreFixture.makeTable(writer, journalMode: "WAL")
        try writer.execute("DELETE FROM T WHERE i > 3")
        let log = try Array(Data(contentsOf: URL(fileURLWithPath: foreign.path + "-wal")))
        try fixture.directory.write(log, to: "store.sqlite-wal")
        try agreesWithAWriter(fixture)
    }

    /// A rollback-mode file beside which a log was left.
    @Test(arguments: [[], ["-shm"]])
    func aLogBesideAFileInRollbackModeIsReadAsAWriterReadsIt(_ suffixes: [String]) throws {
        let fixture = try StoreFixture.withLog(leaving: suffixes + ["-wal"])
        var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: fixture.path)))
        (bytes[18], bytes[19]) = (1, 1)
        try fixture.directory.write(bytes, to: "store.sqlite")
        try agreesWithAWriter(fixture)
    }

    /// The super-journal of a transaction over several databases decides whether a journal counts.
    @Test(arguments: [true, false])
    func aJournalWithASuperJournalIsReadAsAWriterReadsIt(_ exists: Bool) throws {
        let fixture = try StoreFixture.withHotJournal()
        let superJournal = Array(fixture.directory.file("store.sqlite-mj0000019AB").utf8)
        if exists { try fixture.directory.write("\(fixture.path)-journal\0", to: "store.sqlite-mj0000019AB") }
        var journal = try Array(Data(contentsOf: URL(fileURLWithPath: fixture.path + "-journal")))
        func append(_ number: Int) { journal += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        append(0x4000_0000 / 4096 + 1)
        journal += superJournal
        append(superJournal.count)
        append(superJournal.reduce(0) { $0 + Int($1) })
        journal += [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
        try fixture.directory.write(journal, to: "store.sqlite-journal")
        let before = try fixture.state()
        let read = result(fixture.path, .readOnly)
        #expect(try fixture.state() == before)
        #expect((read == "1000 0") == exists)
        // In place, since the journal names its super-journal by its whole path.
        #expect(read == result(fixture.path, .readWrite))
    }

    private func result(_ path: String, _ access: Connection.Access) -> String {
        do throws(SQLiteError) {
            let connection = try Connection(path: path, access: access)
            let counts = "SELECT count(*) || ' ' || count(CASE WHEN t LIKE '%changed' THEN 1 END) FROM T"
            return try connection.value(counts).string ?? ""
        } catch {
            return "error \(error.code)"
        }
    }

    private func agreesWithAWriter(_ fixture: StoreFixture) throws {
        let before = try fixture.state()
        let read = result(fixture.path, .readOnly)
        #expect(try fixture.state() == before)
        let copy = try fixture.abandoned(leaving: ["-wal"])
        #expect(read == result(copy.path, .readWrite))
    }

    @Test(arguments: ["-wal", "-journal"])
    func anEmptyFileHasNoTablesWhateverLiesBesideIt(_ suffix: String) throws {
        let fixture = suffix == "-wal" ? try StoreFixture.withLog(leaving: ["-wal"]) : try .withHotJournal()
        try fixture.directory.write([], to: "store.sqlite")
        let before = try fixture.state()
        let connection = try Connection(path: fixture.path, access: .readOnly)
        #expect(try connection.value("SELECT count(*) FROM sqlite_schema") == 0)
        try connection.close()
        #expect(try fixture.state() == before)
    }

    @Test func aHotJournalIsRolledBackInACopy() throws {
        let fixture = try StoreFixture.withHotJournal()
        #expect(try DatabaseFile(path: fixture.path).hasHotJournal)
        #expect(try count(fixture) == 1000)
        let connection = try Connection(path: fixture.path, access: .readOnly)
        #expect(try connection.value("SELECT count(*) FROM T WHERE t LIKE '%changed'") == 0)
    }

    @Test func aJournalThatIsNotHotIsPassedOver() throws {
        let fixture = try StoreFixture()
        let writer = try Connection(path: fixture.path, access: .create)
        try StoreFixture.makeTable(writer, journalMode: "PERSIST")
        try writer.close()
        #expect(try DatabaseFile(path: fixture.path).journalSize ?? 0 > 0)
        #expect(try !DatabaseFile(path: fixture.path).hasHotJournal)
        #expect(try count(fixture) == 1000)
    }

    @Test func aJournalOfNonsenseChangesNothing() throws {
        let fixture = try StoreFixture.checkpointed()
        try fixture.directory.write([UInt8](repeating: 7, count: 3000), to: "store.sqlite-journal")
        #expect(try count(fixture) == 1000)
    }

    @Test func aDirectoryAndFilesThatMayNotBeWritten() throws {
        let fixture = try StoreFixture.withLog(leaving: ["-wal"])
        let files = FileManager.default
        for name in try fixture.state().names {
            try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: fixture.directory.file(name))
        }
        try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: fixture.directory.path)
        defer { try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: fixture.directory.path) }
        #expect(try count(fixture) == 1500)
    }

    @Test func anIndexThatMayNotBeReadIsDoneWithout() throws {
        let fixture = try StoreFixture.withLog(leaving: ["-wal", "-shm"])
        #expect(chmod(fixture.path + "-shm", 0) == 0)
        let connection = try Connection(path: fixture.path, access: .readOnly)
        #expect(try connection.value("SELECT count(*) FROM T") == 1500)
    }

    @Test func filesThatMayNotBeReadAreAnError() throws {
        for suffix in ["", "-wal", "-journal"] {
            let fixture = suffix == "-journal" ? try StoreFixture.withHotJournal() : try .withLog(leaving: ["-wal"])
            #expect(chmod(fixture.path + suffix, 0) == 0)
            // Root may read all the same.
            guard access(fixture.path + suffix, R_OK) != 0 else { continue }
            let error = #expect(throws: SQLiteError.self) { try Connection(path: fixture.path, access: .readOnly) }
            #expect(error?.isCannotOpen == true)
            #expect(error?.message.contains("Permission denied") == true)
        }
    }

    @Test func sortingAndTemporaryTablesMayUseFilesOfTheirOwn() throws {
        let fixture = try StoreFixture.withLog(leaving: ["-wal"])
        let before = try fixture.state()
        let connection = try Connection(path: fixture.path, access: .readOnly)
        try connection.execute(
            """
            PRAGMA temp_store = FILE; PRAGMA cache_size = 5; PRAGMA temp.cache_size = 5;
            CREATE TEMP TABLE Big AS SELECT a.i, hex(zeroblob(200)) || a.t AS t FROM T a, T b WHERE b.i <= 20;
            BEGIN; DELETE FROM Big WHERE i = 1; ROLLBACK
            """)
        #expect(try connection.value("SELECT count(*) FROM (SELECT * FROM Big ORDER BY t DESC, i)") == 30000)
        #expect(try fixture.state() == before)
    }

    @Test func aLinkIsFollowedToTheFilesBesideItsTarget() throws {
        let fixture = try StoreFixture.withLog(leaving: ["-wal"])
        let other = try TemporaryDirectory()
        try FileManager.default.createSymbolicLink(atPath: other.file("link"), withDestinationPath: fixture.path)
        let connection = try Connection(path: other.file("link"), access: .readOnly)
        #expect(try connection.value("SELECT count(*) FROM T") == 1500)
    }

    @Test func aSnapshotHoldsWhileAWriterInThisProcessGoesOn() throws {
        let fixture = try StoreFixture.checkpointed()
        let writer = try Connection(path: fixture.path, access: .readWrite)
        try writer.execute("INSERT INTO T VALUES (2000, 'new')")
        let reader = try Connection(path: fixture.path, access: .readOnly)
        try reader.execute("BEGIN")
        #expect(try reader.value("SELECT count(*) FROM T") == 1001)
        try writer.execute("DELETE FROM T")
        #expect(try reader.value("SELECT count(*) FROM T") == 1001)
        try reader.execute("COMMIT")
        #expect(try reader.value("SELECT count(*) FROM T") == 0)
    }

    @Test(arguments: ["-wal", "-shm", "-journal"])
    func aPipeBesideTheFileDoesNotHoldUsUp(_ suffix: String) throws {
        let fixture = try StoreFixture.checkpointed()
        #expect(mkfifo(fixture.path + suffix, 0o600) == 0)
        let error = #expect(throws: SQLiteError.self) { try Connection(path: fixture.path, access: .readOnly) }
        #expect(error?.isCannotOpen == true)
    }
}
