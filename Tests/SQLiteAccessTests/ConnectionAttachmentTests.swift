import Foundation
import SQLiteAccess
import TestSupport
import Testing

@Suite struct ConnectionAttachmentTests {
    private let directory: TemporaryDirectory
    private let main: Connection

    init() throws {
        directory = try TemporaryDirectory()
        main = try Connection(path: directory.file("main.sqlite"), access: .create)
        try main.execute("CREATE TABLE M(i)")
    }

    static let states: [(suffixes: [String], rows: Int64)] = [([], 1000), (["-wal"], 1500), (["-wal", "-shm"], 1500)]

    @Test(arguments: states)
    func readOnlyWritesNothingBesideTheAttachedFile(_ suffixes: [String], _ rows: Int64) throws {
        let fixture = suffixes.isEmpty ? try StoreFixture.checkpointed() : try .withLog(leaving: suffixes)
        let before = try fixture.state()
        try main.attach(path: fixture.path, as: "source", access: .readOnly)
        try main.execute("INSERT INTO main.M SELECT i FROM source.T")
        #expect(try main.value("SELECT count(*) FROM M").integer == rows)
        let error = #expect(throws: SQLiteError.self) { try main.execute("DELETE FROM source.T") }
        #expect(error?.isReadOnly == true)
        try main.detach("source")
        #expect(try fixture.state() == before)
        try main.attach(path: fixture.path, as: "again", access: .readOnly)
        try main.close()
        #expect(try fixture.state() == before)
    }

    @Test func aHotJournalIsRolledBackInACopy() throws {
        let fixture = try StoreFixture.withHotJournal()
        let before = try fixture.state()
        try main.attach(path: fixture.path, as: "source", access: .readOnly)
        #expect(try main.value("SELECT count(*) FROM source.T WHERE t NOT LIKE '%changed'") == 1000)
        try main.close()
        #expect(try fixture.state() == before)
    }

    @Test func aReadOnlyConnectionMayWriteToWhatItAttaches() throws {
        let fixture = try StoreFixture.checkpointed()
        let source = try Connection(path: fixture.path, access: .readOnly)
        try source.attach(path: directory.file("new.sqlite"), as: "target", access: .create)
        try source.execute("CREATE TABLE target.C AS SELECT * FROM main.T")
        #expect(try source.value("SELECT count(*) FROM target.C") == 1000)
        #expect(throws: SQLiteError.self) { try source.execute("CREATE TABLE main.C(i)") }
    }

    @Test func aFailedAttachmentLeavesNothingAttached() throws {
        let text = try directory.write("not a database, though long enough to be read as one", to: "text.sqlite")
        let error = #expect(throws: SQLiteError.self) { try main.attach(path: text, as: "x", access: .readOnly) }
        #expect(error?.isNotADatabase == true)
        #expect(error?.path == text)
        #expect(throws: SQLiteError.self) { try main.attach(path: text + ".missing", as: "x", access: .readWrite) }
        #expect(throws: SQLiteError.self) { try main.attach(path: directory.path, as: "x", access: .create) }
        #expect(try main.rows("PRAGMA database_list").count == 1)
    }

    @Test func theSchemaNameMayBeAnything() throws {
        let name = "it's \"odd\" \u{e9}"
        try main.attach(path: ":memory:", as: name, access: .create)
        try main.execute("CREATE TABLE \(SQLiteIdentifier.quoted("T", in: name))(i)")
        try main.detach(name)
    }

    @Test func anotherTextEncodingIsAnError() throws {
        let other = try Connection(path: directory.file("utf16.sqlite"), access: .create)
        try other.execute("PRAGMA encoding = 'UTF-16le'; CREATE TABLE T(i)")
        try other.close()
        let error = #expect(throws: SQLiteError.self) {
            try main.attach(path: directory.file("utf16.sqlite"), as: "u", access: .readOnly)
        }
        #expect(error?.message.contains("encoding") == true)
    }
}
