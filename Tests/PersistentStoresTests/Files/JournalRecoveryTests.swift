import Foundation
import PersistentStores
import SQLiteAccess
import Synchronization
import TestSupport
import Testing

@Suite struct JournalRecoveryTests {
    @Test func theTransactionOfAProgramThatDiedIsRolledBack() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("Store.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute(
            "CREATE TABLE T (X); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
                + "INSERT INTO T SELECT i FROM n")
        // With the smallest cache changed pages go to the file before the commit; then the state of a crash is copied.
        try connection.execute("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; UPDATE T SET X = -1")
        let copy = StoreFiles(directory.file("Copy.sqlite"))
        try FileSystem.copyFile(path + "-journal", to: copy.journal)
        try FileSystem.copyFile(path, to: copy.path)
        try connection.execute("ROLLBACK")
        try connection.close()

        #expect(try JournalRecovery.rollBack(copy))
        #expect(!FileSystem.exists(copy.journal))
        let recovered = try Connection(path: copy.path, access: .readOnly)
        #expect(try recovered.value("SELECT count(*) FROM T WHERE X = -1") == .integer(0))
        #expect(try recovered.value("SELECT count(*) FROM T") == .integer(5000))
        try recovered.close()
        #expect(try !JournalRecovery.rollBack(copy))
    }

    /// A journal that cannot be played back is looked at again: a program at work ends its transaction meanwhile.
    @Test(arguments: [0, 1, 2, 3, 7])
    func aJournalIsLookedAtAsOftenAsItIsSaid(again: Int) throws {
        let directory = try TemporaryDirectory()
        let files = StoreFiles(directory.file("Store.sqlite"))
        let connection = try Connection(path: files.path, access: .create)
        try connection.execute(
            "CREATE TABLE T (X); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
                + "INSERT INTO T SELECT i FROM n; PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; UPDATE T SET X = 0"
        )
        let copy = StoreFiles(directory.file("Copy.sqlite"))
        try FileSystem.copyFile(files.path + "-journal", to: copy.journal)
        try FileSystem.copyFile(files.path, to: copy.path)
        try connection.execute("ROLLBACK")
        try connection.close()
        var journal = try Data(contentsOf: URL(fileURLWithPath: copy.journal))
        // It would cut the database to one page.
        journal.replaceSubrange(16..<20, with: [0, 0, 0, 1])
        try journal.write(to: URL(fileURLWithPath: copy.journal))

        let count = Mutex(0)
        var looks = JournalRecovery.Looks()
        (looks.again, looks.pause) = (again, 1000)
        looks.beforeNext = { count.withLock { $0 += 1 } }
        #expect(throws: StoreError.self) { try JournalRecovery.isNeeded(copy, timeout: 0, looks: looks) }
        #expect(count.withLock { $0 } == again)

        // The program ends its transaction before the last look.
        count.withLock { $0 = 0 }
        looks.beforeNext = {
            let isLast = count.withLock { count in
                count += 1
                return count == again
            }
            if isLast { try? FileManager.default.removeItem(atPath: copy.journal) }
        }
        guard again > 0 else { return }
        #expect(try !JournalRecovery.isNeeded(copy, timeout: 0, looks: looks))
        #expect(count.withLock { $0 } == again)
    }
}
