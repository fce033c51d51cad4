import Foundation
import PersistentStores
import SQLiteAccess
import Testing
import TestSupport

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
}
