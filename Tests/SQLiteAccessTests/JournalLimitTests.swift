import Foundation
import TestSupport
import Testing

@testable import SQLiteAccess

/// How many records of a journal are looked at: what is wrong is found where it is among them.
@Suite struct JournalLimitTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let pageCount: Int
    private static let pageSize = 512

    /// A database with a journal of its own making, of which each record is of the next page; the first page comes last.
    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("store.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute(
            "PRAGMA page_size = 512; CREATE TABLE T (X); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
                + "WHERE i < 500) INSERT INTO T SELECT i FROM n")
        pageCount = Int(try #require(try connection.value("PRAGMA page_count").integer))
        try connection.close()
    }

    /// Writes a journal with records of these pages.
    ///
    /// - Parameter pageCount: what its header says of the database.
    private func write(_ pages: [Int], pageCount: Int) throws {
        func number(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        let database = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var journal: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
        journal += number(pages.count) + number(7) + number(pageCount) + number(512) + number(Self.pageSize)
        journal += [UInt8](repeating: 0, count: 512 - journal.count)
        for page in pages {
            let start = (page - 1) * Self.pageSize
            let content =
                start < database.count
                ? Array(database[start..<start + Self.pageSize]) : [UInt8](repeating: 0, count: Self.pageSize)
            let sum = stride(from: Self.pageSize - 200, to: 0, by: -200).reduce(7) { $0 + Int(content[$1]) }
            journal += number(page) + content + number(sum)
        }
        try Data(journal).write(to: URL(fileURLWithPath: path + "-journal"))
    }

    /// What is wrong with the journal where so many records are looked at; nil if nothing is found.
    private func fault(searching records: Int) throws -> String? {
        let location = try DatabaseLocation(path: path, mustExist: true)
        let journal = try #require(try RollbackJournal(of: location, searchedRecords: Int64(records)))
        do throws(SQLiteError) {
            try journal.checkSizes(DatabaseFileHandle(location))
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: [1, 2, 3, 7, 64])
    func aPageThatTheDatabaseDidNotHaveIsFoundAmongTheRecordsThatAreLookedAt(place: Int) throws {
        let pages = (0..<place - 1).map { 2 + $0 % 3 } + [pageCount + 1, 2]
        try write(pages, pageCount: pageCount)
        #expect(try fault(searching: place)?.contains("records page \(pageCount + 1)") == true)
        #expect(try fault(searching: place + 1)?.contains("records page") == true)
        #expect(try fault(searching: place - 1) == nil)
    }

    @Test(arguments: [1, 2, 3, 7, 64])
    func thePageWithTheCountIsFoundAmongThem(place: Int) throws {
        let pages = (0..<place - 1).map { 2 + $0 % 3 } + [1, 2]
        try write(pages, pageCount: pageCount - 1)
        #expect(try fault(searching: place)?.contains("would leave \(pageCount - 1) pages") == true)
        #expect(try fault(searching: place - 1) == nil)
        // One of its own is none the worse for it.
        try write(pages, pageCount: pageCount)
        for records in [place - 1, place, place + 1] { #expect(try fault(searching: records) == nil) }
    }
}
