import SQLiteAccess
import TestSupport
import Testing

/// The rows that a connection has changed, noted one by one or in groups.
@Suite struct ChangedRowsTests {
    private let directory: TemporaryDirectory
    private let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(path: directory.file("rows.sqlite"), access: .create)
        try connection.execute(
            """
            CREATE TABLE Noted(i INTEGER PRIMARY KEY, v); CREATE TABLE Other(i INTEGER PRIMARY KEY, v);
            INSERT INTO Noted WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT i, i FROM n;
            CREATE TRIGGER R AFTER INSERT ON Other BEGIN
                UPDATE Noted SET v = 0 WHERE i = NEW.i; DELETE FROM Noted WHERE i = NEW.i + 1;
            END
            """)
    }

    private func changed(_ rows: ChangedRows) -> [Int64] { (1...1000).filter { rows.contains($0, ofTable: 0) } }

    @Test func rowsThatStatementsAndTriggersChangeAreNoted() throws {
        let rows = try connection.noteChanges(in: [(name: "noted", last: 1000)])
        #expect(changed(rows) == [])
        #expect(rows.count(in: 1...1000, ofTable: 0) == 0)
        try connection.execute(
            """
            UPDATE Noted SET v = 1 WHERE i IN (3, 700); DELETE FROM Noted WHERE i = 8; INSERT INTO Noted VALUES (1001, 1);
            INSERT INTO Other VALUES (20, 0); CREATE TEMP TABLE Noted(i INTEGER PRIMARY KEY); INSERT INTO temp.Noted VALUES (9)
            """)
        #expect(changed(rows) == [3, 8, 20, 21, 700])
        #expect(rows.count(in: 1...20, ofTable: 0) == 3)
        // What was not there is never known to be as it was.
        #expect(rows.contains(1001, ofTable: 0) && rows.contains(-1, ofTable: 0))
        #expect(rows.count(in: 999...1002, ofTable: 0) == 2)
    }

    @Test(arguments: [1, 2, 7, 64, 65, 500, 1000, 1001])
    func groupsHoldAllRowsThatChangedAndFewOthers(groups: Int64) throws {
        let rows = try connection.noteChanges(in: [("Other", 5), ("Noted", 1000)], mostGroups: groups)
        try connection.execute("UPDATE Noted SET v = 1 WHERE i % 100 = 0")
        let found = (1...1000).filter { rows.contains($0, ofTable: 1) }
        // The smallest power of two of rows that makes so few groups.
        let size: Int64 = (0...10).map { 1 << $0 }.first { 1000 / $0 < groups } ?? 0
        let changed = Set((1...10).map { $0 * 100 / size })
        #expect(found == (1...1000).filter { changed.contains($0 / size) })
        #expect((1...5).allSatisfy { !rows.contains($0, ofTable: 0) })
    }

    @Test func aTransactionWithoutALogSaysThatItHasWrittenPages() throws {
        try connection.execute("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 10; BEGIN")
        let before = connection.writtenPages
        _ = try connection.value("SELECT sum(v) FROM Noted")
        try connection.execute("UPDATE Noted SET v = 5 WHERE i = 1")
        #expect(connection.writtenPages == before)
        try connection.execute("UPDATE Noted SET v = zeroblob(3000)")
        #expect(connection.writtenPages > before)
        #expect(connection.logSize == 0)
        try connection.execute("ROLLBACK; PRAGMA journal_mode = WAL; UPDATE Noted SET v = 6")
        #expect(connection.logSize > 4096)
    }
}
