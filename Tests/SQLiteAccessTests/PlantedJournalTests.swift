import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// A journal that looks hot, and says what no journal of the database can.
@Suite struct PlantedJournalTests {
    private let directory: TemporaryDirectory
    private let path: String
    private var journal: String { path + "-journal" }

    /// A database that a program left in a transaction.
    init() throws {
        directory = try TemporaryDirectory()
        let original = directory.file("original.sqlite")
        path = directory.file("store.sqlite")
        let connection = try Connection(path: original, access: .create)
        try connection.execute(
            "CREATE TABLE T (X); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
                + "INSERT INTO T SELECT i FROM n")
        // With the smallest cache changed pages go to the file before the commit; then the state of a crash is copied.
        try connection.execute("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; UPDATE T SET X = -1")
        try FileManager.default.copyItem(atPath: original + "-journal", toPath: journal)
        try FileManager.default.copyItem(atPath: original, toPath: path)
        try connection.execute("ROLLBACK")
        try connection.close()
    }

    private func patchJournal(_ bytes: [UInt8], at offset: Int) throws {
        var journal = try Data(contentsOf: URL(fileURLWithPath: journal))
        journal.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        try journal.write(to: URL(fileURLWithPath: self.journal))
    }

    private func name(superJournal: String) throws {
        func number(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        let name = Array(superJournal.utf8)
        var journal = [UInt8](try Data(contentsOf: URL(fileURLWithPath: journal)))
        journal += number(0x7fff_ffff) + name + number(name.count) + number(name.reduce(0) { $0 + Int($1) })
        journal += [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
        try Data(journal).write(to: URL(fileURLWithPath: self.journal))
    }

    private func expectRefusal(_ words: String) throws {
        let before = try DirectoryState(of: directory.path)
        let error = #expect(throws: SQLiteError.self) {
            let connection = try Connection(path: path, access: .readWrite)
            _ = try connection.value("SELECT count(*) FROM T")
        }
        #expect(error?.isCorrupt == true && error?.message.contains(words) == true, "\(error?.message ?? "")")
        let other = try Connection(path: directory.file("original.sqlite"), access: .readWrite)
        #expect(throws: SQLiteError.self) { try other.attach(path: path, as: "other", access: .readWrite) }
        try other.close()
        #expect(try DirectoryState(of: directory.path) == before)
    }

    private func expectRecovery() throws {
        let connection = try Connection(path: path, access: .readWrite)
        #expect(try connection.value("SELECT count(*) FROM T WHERE X > 0") == .integer(3000))
        try connection.close()
        #expect(!FileManager.default.fileExists(atPath: journal))
    }

    @Test func aJournalOfItsOwnIsPlayedBack() throws { try expectRecovery() }

    @Test func noOtherFileIsDeletedAsASuperJournal() throws {
        let diary = try directory.write("dear diary", to: "diary.txt")
        try name(superJournal: diary)
        try expectRefusal("diary.txt")
    }

    /// With a name that fits, it must list the journal.
    @Test func aFileWithTheNameOfASuperJournalThatDoesNotListTheJournalStays() throws {
        let other = try directory.write("/somewhere/else-journal\0", to: "store.sqlite-mj0A1B2C9FF")
        try name(superJournal: other)
        try expectRefusal("store.sqlite-mj0A1B2C9FF")
    }

    @Test func theSuperJournalOfATransactionOverSeveralDatabasesGoes() throws {
        let real = try directory.write("\(journal)\0", to: "store.sqlite-mj0A1B2C9FF")
        try name(superJournal: real)
        try expectRecovery()
        #expect(!FileManager.default.fileExists(atPath: real))
    }

    @Test func theDatabaseIsNotExtendedBeyondReason() throws {
        try patchJournal([0xff, 0xff, 0xff, 0xf0], at: 16)
        try expectRefusal("4294967280 pages")
        // Nor is the copy that is read.
        #expect(throws: SQLiteError.self) { try Connection(path: path, access: .readOnly) }
    }

    /// SQLite keeps no page in the journal that the database did not have when the transaction began.
    @Test func theDatabaseIsNotCutToLessThanTheRecordsAreOf() throws {
        try patchJournal([0, 0, 0, 1], at: 16)
        try expectRefusal("page")
    }

    @Test(arguments: [(20, [0, 0, 0, 3] as [UInt8]), (24, [0, 0, 0x03, 0]), (24, [0, 0, 0x40, 0])])
    func sizesThatAreNotTheDatabasesAreRefused(offset: Int, bytes: [UInt8]) throws {
        try patchJournal(bytes, at: offset)
        try expectRefusal("bytes")
    }
}
