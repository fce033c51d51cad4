import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// Readers of the same pages on several threads.
struct PageReaderTests {
    /// Closing an ordinary descriptor of the file would drop the locks of the connection.
    @Test(arguments: ["DELETE", "WAL"]) func anotherReaderLeavesTheLocksOfTheConnection(journalMode: String) throws {
        let fixture = try StoreFixture()
        let connection = try Connection(path: fixture.path, access: .create)
        try StoreFixture.makeTable(connection, journalMode: journalMode)
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        let writer = try SQLiteSession(on: fixture.path)
        do {
            let reader = try PageReader(connection)
            let other = try #require(reader.another())
            var (mine, others) = (
                [UInt8](repeating: 1, count: reader.pageSize), [UInt8](repeating: 2, count: reader.pageSize)
            )
            for number in 1...reader.pageCount {
                try reader.read(number, into: &mine)
                try other.read(number, into: &others)
                #expect(mine == others)
            }
        }
        #expect(try writer.run("SELECT count(*) FROM T").contains("locked"))
        #expect(try writer.run("DELETE FROM T").contains("locked"))
        try connection.execute("COMMIT")
        try connection.close()
        #expect(try writer.run("SELECT count(*) FROM T") == "1000\n")
    }

    /// The pages in the log are those of the first reader, whatever is committed after it.
    @Test func anotherReaderSeesTheSameLog() throws {
        let fixture = try StoreFixture.withLog(leaving: ["-wal", "-shm"])
        let connection = try Connection(path: fixture.path, access: .readOnly)
        try connection.execute("BEGIN")
        let reader = try PageReader(connection)
        #expect(reader.hasLog)
        let writer = try SQLiteSession(on: fixture.path)
        #expect(try writer.run("UPDATE T SET t = 'changed'") == "")
        let other = try #require(reader.another())
        #expect(other.hasLog && other.pageCount == reader.pageCount)
        var (mine, others) = (
            [UInt8](repeating: 1, count: reader.pageSize), [UInt8](repeating: 2, count: reader.pageSize)
        )
        for number in 1...reader.pageCount {
            try reader.read(number, into: &mine)
            try other.read(number, into: &others)
            #expect(mine == others)
        }
    }

    @Test func aFileThatIsGoneOrReplacedIsNotReadByAnother() throws {
        let fixture = try StoreFixture.checkpointed()
        let connection = try Connection(path: fixture.path, access: .readOnly)
        try connection.execute("BEGIN")
        let reader = try PageReader(connection)
        #expect(reader.another() != nil)
        let files = FileManager.default
        try files.moveItem(atPath: fixture.path, toPath: fixture.path + ".old")
        #expect(reader.another() == nil)
        let replacement = try Connection(path: fixture.path, access: .create)
        try StoreFixture.makeTable(replacement, journalMode: "DELETE")
        try replacement.execute("CREATE TABLE U (a)")
        try replacement.close()
        #expect(reader.another() == nil)
    }
}
