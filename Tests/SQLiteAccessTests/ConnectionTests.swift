import Foundation
import SQLiteAccess
import TestSupport
import Testing

@Suite struct ConnectionTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("store.sqlite") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func created() throws -> Connection {
        let connection = try Connection(path: path, access: .create)
        try connection.execute("CREATE TABLE T(i INTEGER PRIMARY KEY, t TEXT UNIQUE)")
        return connection
    }

    // MARK: Opening

    @Test func createMakesAFileAndReadWriteDoesNot() throws {
        let error = #expect(throws: SQLiteError.self) { try Connection(path: path, access: .readWrite) }
        #expect(error?.isCannotOpen == true)
        #expect(error?.message.contains("No such file") == true)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(throws: SQLiteError.self) { try Connection(path: path, access: .readOnly) }
        #expect(!FileManager.default.fileExists(atPath: path))
        _ = try created()
        #expect(try Connection(path: path, access: .readWrite).value("SELECT count(*) FROM T") == 0)
    }

    @Test(arguments: [Connection.Access.readOnly, .readWrite, .create])
    func aDirectoryIsNoDatabase(_ access: Connection.Access) throws {
        let error = #expect(throws: SQLiteError.self) { try Connection(path: directory.path, access: access) }
        #expect(error?.isCannotOpen == true)
        #expect(error?.message.contains("is a directory") == true)
        #expect(error?.path == directory.path)
    }

    @Test(arguments: [Connection.Access.readOnly, .readWrite, .create])
    func aPipeAndADeviceAreNoDatabases(_ access: Connection.Access) throws {
        #expect(mkfifo(path, 0o600) == 0)
        for path in [path, "/dev/zero"] {
            let error = #expect(throws: SQLiteError.self) { try Connection(path: path, access: access) }
            #expect(error?.message.contains("not a regular file") == true)
        }
    }

    @Test func aTextFileIsNoDatabase() throws {
        let text = try directory.write(String(repeating: "name,age\n", count: 500), to: "people.sqlite")
        let error = #expect(throws: SQLiteError.self) { try Connection(path: text, access: .readOnly) }
        #expect(error?.isNotADatabase == true)
        #expect(error.map { "\($0)" }?.contains("not a database") == true)
        #expect(error?.path == text)
        let writer = try Connection(path: text, access: .readWrite)
        let later = #expect(throws: SQLiteError.self) { try writer.execute("CREATE TABLE T(i)") }
        #expect(later?.isNotADatabase == true)
    }

    @Test(arguments: [2, 15, 16, 99, 100, 511])
    func aFileThatEndsInItsHeaderIsAnErrorAndNoCrash(_ length: Int) throws {
        try created().close()
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
        let short = try directory.write(Array(bytes.prefix(length)), to: "short.sqlite")
        let error = #expect(throws: SQLiteError.self) {
            try Connection(path: short, access: .readOnly).rows("SELECT * FROM T")
        }
        #expect(error.map { $0.isNotADatabase || $0.isCorrupt } == true)
    }

    @Test(arguments: [
        "a b.sqlite", "50%.sqlite", "what?.sqlite", "c#.sqlite", "a&b=c.sqlite", "Größe 日本.sqlite",
        "it's \"x\".sqlite",
        "file:x.sqlite", ":memory:", "%2e", "a\u{7f}\nb.sqlite", "mode=ro?immutable=1",
    ])
    func everyFileNameWorks(_ name: String) throws {
        let path = directory.file(name)
        let writer = try Connection(path: path, access: .create)
        try writer.execute("CREATE TABLE T(i); INSERT INTO T VALUES (1)")
        try writer.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [name])
        #expect(try DatabaseFile(path: path).isSQLite)
        let main = try Connection(path: ":memory:", access: .create)
        for access in [Connection.Access.readOnly, .readWrite, .create] {
            #expect(try Connection(path: path, access: access).value("SELECT i FROM T") == 1)
            try main.attach(path: path, as: "other", access: access)
            #expect(try main.value("SELECT i FROM other.T") == 1)
            try main.detach("other")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [name])
    }

    @Test func aPathWithANULIsRefused() throws {
        for access in [Connection.Access.readOnly, .readWrite, .create] {
            #expect(throws: SQLiteError.self) { try Connection(path: path + "\0.txt", access: access) }
        }
        #expect(throws: SQLiteError.self) { try DatabaseFile(path: path + "\0.txt") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }

    @Test func aLockedDatabaseIsBusyAfterTheTimeout() throws {
        let holder = try created()
        try holder.execute("BEGIN EXCLUSIVE")
        let clock = ContinuousClock()
        let start = clock.now
        let error = #expect(throws: SQLiteError.self) {
            try Connection(path: path, access: .readOnly, busyTimeout: 150)
        }
        #expect(error?.isBusy == true)
        #expect(clock.now - start >= .milliseconds(150))
        let other = try Connection(path: path, access: .readWrite)
        let later = #expect(throws: SQLiteError.self) { try other.execute("INSERT INTO T VALUES (1, 'a')") }
        #expect(later?.isBusy == true)
        try holder.execute("COMMIT")
        try other.execute("INSERT INTO T VALUES (1, 'a')")
    }

    @Test func memoryIsADatabaseToo() throws {
        let first = try Connection(path: ":memory:", access: .create)
        try first.execute("CREATE TABLE T(i)")
        let second = try Connection(path: ":memory:", access: .create)
        #expect(throws: SQLiteError.self) { try second.value("SELECT 1 FROM T") }
    }

    // MARK: Closing

    @Test func aClosedConnectionThrowsMisuse() throws {
        let connection = try created()
        try connection.close()
        try connection.close()
        let error = #expect(throws: SQLiteError.self) { try connection.execute("SELECT 1") }
        #expect(error?.code == 21)
        #expect(throws: SQLiteError.self) { try connection.value("SELECT 1") }
        #expect(throws: SQLiteError.self) {
            try connection.registerFunction("f", argumentCount: 0, deterministic: true) { _ in .null }
        }
        connection.onProgress(everyInstructions: 1) { true }
        connection.setDefensive(false)
        #expect(connection.changes == 0 && !connection.isInTransaction && connection.maximumColumnCount == 0)
    }

    @Test func closingWaitsForStatements() throws {
        let connection = try created()
        var statement: Statement? = try connection.prepare("SELECT 1")
        let error = #expect(throws: SQLiteError.self) { try connection.close() }
        #expect(error?.isBusy == true)
        #expect(try statement?.step() == true)
        statement = nil
        try connection.close()
    }

    @Test(arguments: [true, false])
    func theLogIsCheckpointedOnCloseUnlessAskedNotTo(_ enabled: Bool) throws {
        let connection = try created()
        _ = try connection.rows("PRAGMA journal_mode = WAL")
        try connection.execute("INSERT INTO T VALUES (1, 'a')")
        connection.setCheckpointOnClose(enabled)
        try connection.close()
        #expect(FileManager.default.fileExists(atPath: path + "-wal") == !enabled)
        #expect(try Connection(path: path, access: .readOnly).value("SELECT t FROM T") == "a")
    }

    // MARK: Statements

    @Test func aScriptRunsAllItsStatements() throws {
        let connection = try created()
        try connection.execute(
            """
            -- first
            ;; INSERT INTO T VALUES (1, 'a;b');
            SELECT * FROM T; /* between */
            INSERT INTO T SELECT i + 1, 'c' FROM T -- no semicolon
            """)
        #expect(try connection.rows("SELECT i, t FROM T ORDER BY i") == [[1, "a;b"], [2, "c"]])
        try connection.execute("")
        try connection.execute(" ; -- nothing")
    }

    @Test func aScriptStopsAtTheFirstError() throws {
        let connection = try created()
        let error = #expect(throws: SQLiteError.self) {
            try connection.execute(
                "INSERT INTO T VALUES (1, 'a'); INSERT INTO missing VALUES (1); INSERT INTO T VALUES (2, 'b')")
        }
        #expect(error?.message == "no such table: missing")
        #expect(try connection.value("SELECT count(*) FROM T") == 1)
    }

    @Test(arguments: [
        "", " -- nothing", "SELECT 1; SELECT 2", "SELECT 1; nonsense", "SELECT 1\0; SELECT 2", "SELEC 1",
        "SELECT * FROM T WHERE \"no such column\" = 1",
    ])
    func oneStatementIsPreparedAndNothingElse(_ sql: String) throws {
        let connection = try created()
        let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
        #expect(error?.sql == sql)
        #expect(error?.path == path)
    }

    @Test(arguments: ["SELECT 1;", "SELECT 1 ; ; \n", "SELECT 1; -- end", "/* before */ SELECT 1"])
    func whatSurroundsAStatementDoesNotMatter(_ sql: String) throws {
        #expect(try created().value(sql) == 1)
    }

    @Test func valuesAreBoundInOrder() throws {
        let connection = try created()
        try connection.execute("INSERT INTO T VALUES (?, ?)", [7, .text([0xff, 0])])
        #expect(try connection.rows("SELECT * FROM T WHERE i = ?", [7]) == [[7, .text([0xff, 0])]])
        #expect(try connection.value("SELECT t FROM T WHERE i = ?", [8]) == .null)
        #expect(connection.changes == 1)
        #expect(connection.lastInsertRowID == 7)
        try connection.execute("UPDATE T SET t = 'b'")
        #expect(connection.totalChanges == 2)
        #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO T VALUES (?, ?)", [1]) }
        #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM T; DELETE FROM T", []) }
    }

    // MARK: Transactions

    @Test(arguments: [TransactionKind.deferred, .immediate, .exclusive])
    func aTransactionIsCommittedOrRolledBack(_ kind: TransactionKind) throws {
        struct Stop: Error {}
        let connection = try created()
        let result = try connection.transaction(kind) {
            #expect(connection.isInTransaction)
            try connection.execute("INSERT INTO T VALUES (1, 'a')")
            return 5
        }
        #expect(result == 5)
        #expect(throws: Stop.self) {
            try connection.transaction(kind) {
                try connection.execute("INSERT INTO T VALUES (2, 'b')")
                throw Stop()
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try connection.value("SELECT count(*) FROM T") == 1)
    }

    @Test func aTransactionThatSQLiteEndedTellsTheFirstError() throws {
        let connection = try created()
        let error = #expect(throws: SQLiteError.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO T VALUES (1, 'a')")
                try connection.execute("INSERT OR ROLLBACK INTO T VALUES (2, 'a')")
            }
        }
        #expect(error?.isConstraint == true)
        #expect(!connection.isInTransaction)
    }

    @Test func aCommitThatFailsRollsBack() throws {
        let connection = try created()
        try connection.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE U(i REFERENCES T(i) DEFERRABLE INITIALLY DEFERRED)
            """)
        let error = #expect(throws: SQLiteError.self) {
            try connection.transaction { try connection.execute("INSERT INTO U VALUES (9)") }
        }
        #expect(error?.isConstraint == true)
        #expect(!connection.isInTransaction)
        #expect(try connection.value("SELECT count(*) FROM U") == 0)
    }

    @Test func transactionsDoNotNest() throws {
        let connection = try created()
        #expect(throws: SQLiteError.self) {
            try connection.transaction { try connection.transaction {} }
        }
        #expect(!connection.isInTransaction)
    }
}
