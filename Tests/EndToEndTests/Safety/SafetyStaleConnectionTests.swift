import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// A program that has opened the file of a store, and holds no lock on it yet, when another file takes its place.
///
/// SQLite finds logs and journals by their paths: such a connection takes those of the new store for its own.
@Suite struct SafetyStaleConnectionTests {
    private let directory: TemporaryDirectory
    private let new: String
    private let old: String

    init() throws {
        directory = try TemporaryDirectory()
        (new, old) = (directory.file("New.sqlite"), directory.file("Old.sqlite"))
    }

    private func make(_ path: String, mode: String, _ sql: String) throws {
        let connection = try Connection(path: path, access: .create)
        _ = try connection.value("PRAGMA journal_mode = \(mode)")
        try connection.execute(sql)
        try connection.close()
    }

    /// The new store has another table where the old one has T.
    private func makeStores(mode: String) throws {
        try make(new, mode: mode, "CREATE TABLE OTHER (Y); CREATE TABLE T (X INTEGER PRIMARY KEY)")
        try make(old, mode: mode, "CREATE TABLE T (X INTEGER PRIMARY KEY)")
    }

    @Test(arguments: ["move", "copy"], ["WAL", "DELETE"])
    func itChangesNothingInTheNewStore(command: String, mode: String) throws {
        try makeStores(mode: mode)
        let stale = try SQLiteSession(on: old, running: "SELECT 1;")
        let run = try ToolProcess.ferry([command, "--replace", new, old])
        guard run.status == 0 else {
            #expect(run.status == 3, "\(run.summary)")
            #expect(FileSystem.exists(new))
            #expect(try stale.run("SELECT count(*) FROM T;") == "0\n")
            return stale.close()
        }
        let app = try SQLiteSession(on: old, running: "INSERT INTO T VALUES (100);")
        let answer = try stale.run("INSERT INTO T VALUES (7);")
        #expect(answer.contains("readonly") || answer.contains("locked"), "\(answer)")
        stale.close()
        app.close()
        let connection = try Connection(path: old, access: .readOnly)
        #expect(try connection.value("PRAGMA integrity_check") == .string("ok"))
        #expect(try connection.rows("SELECT X FROM T") == [[.integer(100)]])
        #expect(try connection.value("SELECT count(*) FROM OTHER") == .integer(0))
    }

    @Test(arguments: ["move", "copy"])
    func itRollsNoTransactionOfTheNewStoreBack(command: String) throws {
        try makeStores(mode: "DELETE")
        try Connection(path: new, access: .readWrite).execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
                + "INSERT INTO OTHER SELECT i FROM n")
        let stale = try SQLiteSession(on: old, running: "SELECT 1;")
        let run = try ToolProcess.ferry([command, "--replace", new, old])
        guard run.status == 0 else {
            #expect(run.status == 3, "\(run.summary)")
            return stale.close()
        }
        // With the smallest cache changed pages go to the file, and their old state to the journal, before the commit.
        let app = try SQLiteSession(
            on: old, running: "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; UPDATE OTHER SET Y = -1;")
        let journal = StoreFiles(old).journal
        #expect(FileSystem.exists(journal))
        try stale.run("SELECT count(*) FROM T;")
        #expect(FileSystem.exists(journal))
        app.kill()
        stale.close()
        let connection = try Connection(path: old, access: .readWrite)
        #expect(try connection.value("PRAGMA integrity_check") == .string("ok"))
        #expect(try connection.value("SELECT count(*) FROM OTHER WHERE Y > 0") == .integer(5000))
    }
}
