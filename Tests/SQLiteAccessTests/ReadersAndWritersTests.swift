import SQLiteAccess
import TestSupport
import Testing

/// Connections of one process to one file.
@Suite struct ReadersAndWritersTests {
    @Test func aWriterBesideAReaderThatMappedTheIndexIsToldSo() throws {
        let fixture = try StoreFixture.withLog(leaving: ["-wal", "-shm"])
        let reader = try Connection(path: fixture.path, access: .readOnly)
        #expect(try reader.value("SELECT count(*) FROM T") == 1500)
        let writer = try Connection(path: fixture.path, access: .readWrite)
        let error = #expect(throws: SQLiteError.self) { try writer.execute("INSERT INTO T VALUES (5000, 'x')") }
        #expect(error?.isReadOnly == true)
        try reader.close()
        try writer.close()
        let second = try Connection(path: fixture.path, access: .readWrite)
        try second.execute("INSERT INTO T VALUES (5000, 'x')")
        #expect(try second.value("SELECT count(*) FROM T") == 1501)
    }

    @Test func readersShareAFile() throws {
        let fixture = try StoreFixture.withLog(leaving: ["-wal", "-shm"])
        let readers = try (0..<3).map { _ in try Connection(path: fixture.path, access: .readOnly) }
        for reader in readers {
            #expect(try reader.value("SELECT count(*) FROM T") == 1500)
        }
    }
}
