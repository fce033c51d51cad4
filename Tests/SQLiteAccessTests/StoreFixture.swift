import Foundation
import SQLiteAccess
import TestSupport

/// Databases as a writer that died leaves them: the files are copied while the writer is at work.
struct StoreFixture {
    let directory: TemporaryDirectory
    var path: String { directory.file("store.sqlite") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// 1000 rows, in the file; `table` counts them.
    static func makeTable(_ connection: Connection, journalMode: String) throws {
        // What is on the disk does not matter to the tests, only what is in the files.
        try connection.execute("PRAGMA synchronous = OFF")
        _ = try connection.rows("PRAGMA journal_mode = \(journalMode)")
        try connection.execute(
            """
            CREATE TABLE T(i INTEGER PRIMARY KEY, t TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO T SELECT i, 'row ' || i FROM n;
            """)
    }

    /// WAL mode, everything in the file, and nothing beside it.
    static func checkpointed() throws -> StoreFixture {
        let fixture = try StoreFixture()
        let writer = try Connection(path: fixture.path, access: .create)
        try makeTable(writer, journalMode: "WAL")
        try writer.close()
        return fixture
    }

    /// WAL mode; 1000 rows in the file, 500 more in the log.
    /// - Parameter suffixes: which files are left beside it.
    static func withLog(leaving suffixes: [String], uncommitted: Bool = false) throws -> StoreFixture {
        let origin = try checkpointed()
        let writer = try Connection(path: origin.path, access: .readWrite)
        try writer.execute("PRAGMA synchronous = OFF; PRAGMA cache_size = 2; PRAGMA wal_autocheckpoint = 0; BEGIN")
        try writer.execute("INSERT INTO T SELECT i + 1000, hex(zeroblob(100)) FROM T WHERE i <= 500")
        if !uncommitted { try writer.execute("COMMIT") }
        return try origin.abandoned(leaving: suffixes)
    }

    /// Rollback mode; 1000 rows, and a transaction that has begun to delete them from the file.
    static func withHotJournal() throws -> StoreFixture {
        let origin = try StoreFixture()
        let writer = try Connection(path: origin.path, access: .create)
        try makeTable(writer, journalMode: "DELETE")
        try writer.execute("PRAGMA cache_size = 1; BEGIN; UPDATE T SET t = t || ' changed'; DELETE FROM T WHERE i > 10")
        return try origin.abandoned(leaving: ["-journal"])
    }

    /// A copy of the files as they are now.
    func abandoned(leaving suffixes: [String]) throws -> StoreFixture {
        let fixture = try StoreFixture()
        for suffix in [""] + suffixes {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: fixture.path + suffix)
        }
        return fixture
    }

    func state() throws -> DirectoryState {
        try DirectoryState(of: directory.path)
    }
}
