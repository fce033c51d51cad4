import Foundation
import SQLiteAccess
import TestSupport
import Testing

@Suite struct DatabaseFileTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("store.sqlite") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(arguments: [512, 4096, 65536], [DatabaseFile.TextEncoding.utf8, .utf16LittleEndian, .utf16BigEndian])
    func theHeaderIsReadAsSQLiteWroteIt(_ pageSize: Int, _ encoding: DatabaseFile.TextEncoding) throws {
        let name = ["UTF-8", "UTF-16le", "UTF-16be"][Int(encoding.rawValue) - 1]
        let connection = try Connection(path: path, access: .create)
        try connection.execute(
            """
            PRAGMA page_size = \(pageSize); PRAGMA encoding = '\(name)';
            PRAGMA user_version = -7; PRAGMA application_id = 1234; CREATE TABLE T(i)
            """)
        try connection.close()
        let file = try DatabaseFile(path: path)
        #expect(file.isSQLite && !file.isEmpty && !file.isTruncated && !file.usesWriteAheadLog)
        #expect(file.pageSize == pageSize)
        #expect(file.pageCount == 2)
        #expect(file.size == Int64(pageSize) * 2)
        #expect(file.textEncoding == encoding)
        #expect(file.schemaFormat == 4)
        #expect(file.userVersion == -7)
        #expect(file.applicationID == 1234)
        #expect(file.writeAheadLogSize == nil && file.sharedMemorySize == nil && file.journalSize == nil)
    }

    @Test func theFilesBesideItAreFound() throws {
        let fixture = try StoreFixture.withLog(leaving: ["-wal", "-shm"])
        let file = try DatabaseFile(path: fixture.path)
        #expect(file.usesWriteAheadLog)
        #expect((file.writeAheadLogSize ?? 0) > 4096)
        #expect(file.sharedMemorySize == 32768)
        #expect(!file.hasHotJournal)
        let hot = try StoreFixture.withHotJournal()
        #expect(try DatabaseFile(path: hot.path).hasHotJournal)
    }

    @Test func aJournalOfAWriterAtWorkIsNotHot() throws {
        let connection = try Connection(path: path, access: .create)
        try StoreFixture.makeTable(connection, journalMode: "DELETE")
        try connection.execute("BEGIN; DELETE FROM T")
        let file = try DatabaseFile(path: path)
        #expect((file.journalSize ?? 0) > 0)
        #expect(!file.hasHotJournal)
    }

    @Test func aFileCutShortIsTruncated() throws {
        let fixture = try StoreFixture.checkpointed()
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: fixture.path)))
        let short = try directory.write(Array(bytes.dropLast(1)), to: "short.sqlite")
        #expect(try DatabaseFile(path: short).isTruncated)
        #expect(try !DatabaseFile(path: fixture.path).isTruncated)
    }

    @Test(arguments: ["", "text", "SQLite format 3", String(repeating: "SQLite format 2\0", count: 10)])
    func otherFilesAreNoDatabases(_ content: String) throws {
        try directory.write(content, to: "store.sqlite")
        let file = try DatabaseFile(path: path)
        #expect(!file.isSQLite && !file.isTruncated && !file.usesWriteAheadLog)
        #expect(file.isEmpty == content.isEmpty)
        #expect(file.pageSize == nil && file.pageCount == nil && file.textEncoding == nil)
    }

    @Test func aHeaderOfNonsenseIsReadAsItIs() throws {
        var bytes = Array("SQLite format 3\0".utf8)
        bytes += [UInt8](repeating: 0xff, count: 84)
        try directory.write(bytes, to: "store.sqlite")
        let file = try DatabaseFile(path: path)
        #expect(file.isSQLite)
        #expect(file.pageSize == 65535)
        #expect(file.textEncoding == nil)
        #expect(file.isTruncated)
    }

    @Test func missingFilesAndDirectoriesAreErrors() throws {
        let missing = #expect(throws: SQLiteError.self) { try DatabaseFile(path: path) }
        #expect(missing?.isCannotOpen == true)
        let folder = #expect(throws: SQLiteError.self) { try DatabaseFile(path: directory.path) }
        #expect(folder?.message.contains("directory") == true)
    }
}
