@testable import SQLiteAccess
import Synchronization
import TestSupport
import Testing

/// The trace is the process': these tests run one after the other, and see only connections of their own.
@Suite(.serialized) struct StatementTraceTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    private func trace(
        _ level: StatementTrace.Level, longestText: Int = 1000, _ body: (Connection) throws -> Void
    ) throws -> [String] {
        let lines = Lines()
        let directory = try TemporaryDirectory()
        let path = directory.file("traced.sqlite")
        StatementTrace.start(level, longestText: longestText, of: path) { lines.add($0) }
        defer { StatementTrace.stop() }
        let connection = try Connection(path: path, access: .create)
        try body(connection)
        try connection.close()
        return lines.all
    }

    @Test(arguments: StatementTrace.Level.allCases)
    func eachLevelSaysMore(level: StatementTrace.Level) throws {
        let lines = try trace(level) { connection in
            try connection.execute("CREATE TABLE traced_levels (a)")
            try connection.execute("INSERT INTO traced_levels VALUES (?), ('secret'), (12)", [.string("bound")])
            _ = try connection.rows("SELECT a FROM traced_levels WHERE a <> ?1", [.integer(5)])
        }
        let statements = lines.filter { $0.contains("traced_levels") }
        switch level {
        case .statements, .times:
            #expect(statements.contains("sql: INSERT INTO traced_levels VALUES (?), (?), (?)"))
            #expect(statements.contains("sql: SELECT a FROM traced_levels WHERE a <> ?1"))
        case .values:
            #expect(statements.contains("sql: INSERT INTO traced_levels VALUES ('bound'), ('secret'), (12)"))
            #expect(statements.contains("sql: SELECT a FROM traced_levels WHERE a <> 5"))
        }
        let times = lines.filter { !$0.contains("traced_levels") }
        #expect(times.count == (level == .statements ? 0 : 3))
        if level > .statements { #expect(times.last?.hasSuffix(" ms, 3 rows") == true) }
    }

    @Test(arguments: [1, 2, 3, 7, 40])
    func aLongTextIsCut(length: Int) throws {
        let sql = "SELECT 'é' AS traced_cut_name"
        let lines = try trace(.values, longestText: length) { connection in
            _ = try connection.rows(sql)
        }
        let short = StatementTrace.shortened(sql, to: length)
        #expect(lines.contains("sql: " + short))
        if length >= sql.utf8.count {
            #expect(short == sql)
        } else {
            #expect(short.hasPrefix(String(sql.prefix(min(length, 8)))) && short.hasSuffix(" more bytes)"))
        }
    }

    @Test(arguments: [
        ("SELECT 'it''s', x'00ff', X'AA', 1.5e3, 0x1F FROM t1", "SELECT ?, ?, ?, ?, ? FROM t1"),
        (
            #"SELECT "a 'b' 1", `c 2` FROM "t""3" WHERE x1 = ?12"#,
            #"SELECT "a 'b' 1", `c 2` FROM "t""3" WHERE x1 = ?12"#
        ),
        ("SELECT -7, :a1, @b2, $c3", "SELECT -?, :a1, @b2, $c3"),
        ("SELECT 'open", "SELECT ?"), ("", ""), ("SELECT 'ä', ö1", "SELECT ?, ö1"), ("x", "x"),
        ("SELECT x", "SELECT x"),
    ])
    func constantsAreHidden(sql: String, expected: String) {
        #expect(SQLConstants.hidden(in: sql) == expected)
    }
}
