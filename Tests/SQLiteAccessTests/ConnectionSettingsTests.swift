import SQLiteAccess
import TestSupport
import Testing

@Suite struct ConnectionSettingsTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", access: .create)
        try connection.execute("CREATE TABLE T(i INTEGER PRIMARY KEY)")
    }

    @Test func memoryStatisticsAreDecidedBeforeTheFirstUse() {
        // The connection of these tests is open.
        #expect(!SQLiteLibrary.omitMemoryStatistics())
    }

    @Test func aProgressHandlerInterruptsALongStatement() throws {
        var calls = 0
        connection.onProgress(everyInstructions: 100) {
            calls += 1
            return calls == 3
        }
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let error = #expect(throws: SQLiteError.self) { try connection.value(endless) }
        #expect(error?.isInterrupted == true)
        #expect(calls == 3)
        connection.onProgress(everyInstructions: 100, nil)
        let long = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT max(i) FROM n"
        #expect(try connection.value(long) == 5000)
        #expect(calls == 3)
    }

    @Test func triggersCanBeSwitchedOff() throws {
        try connection.execute(
            """
            CREATE TABLE Log(i);
            CREATE TRIGGER R AFTER INSERT ON T BEGIN INSERT INTO Log VALUES (NEW.i); END
            """)
        connection.setTriggersEnabled(false)
        try connection.execute("INSERT INTO T VALUES (1)")
        connection.setTriggersEnabled(true)
        try connection.execute("INSERT INTO T VALUES (2)")
        #expect(try connection.rows("SELECT i FROM Log") == [[2]])
    }

    @Test func theSchemaTableIsProtectedUntilThatIsLifted() throws {
        let edit = "UPDATE sqlite_schema SET sql = replace(sql, 'INTEGER', 'integer') WHERE name = 'T'"
        try connection.execute("PRAGMA writable_schema = ON")
        #expect(throws: SQLiteError.self) { try connection.execute(edit) }
        connection.setDefensive(false)
        try connection.execute("PRAGMA writable_schema = ON; " + edit + "; PRAGMA writable_schema = OFF")
        #expect(try connection.value("SELECT sql FROM sqlite_schema") == "CREATE TABLE T(i integer PRIMARY KEY)")
    }

    @Test func limitsAreSQLites() {
        #expect(connection.maximumColumnCount >= 2000)
        #expect(connection.maximumVariableCount >= 999)
        #expect(connection.maximumValueLength >= 1_000_000)
    }

    @Test func extensionsCannotBeLoadedFromSQL() {
        #expect(throws: SQLiteError.self) { try connection.value("SELECT load_extension('x')") }
    }
}
