import SQLiteAccess
import Testing

@Suite struct ConnectionAggregateTests {
    private final class Longest: SQLAggregate {
        private var text = ""

        func step(_ arguments: borrowing FunctionArguments) throws {
            let next = arguments.string(0)
            if next == "bad" { throw Failure() }
            text = next.utf8.count > text.utf8.count ? next : text
        }

        func result() throws -> SQLiteValue { .string(text) }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description = "a bad row"
    }

    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", access: .create)
        try connection.registerAggregate("longest", argumentCount: 1) { Longest() }
        try connection.execute(
            "CREATE TABLE t (g, x); INSERT INTO t VALUES (1, 'a'), (1, 'abc'), (2, 'bc'), (3, 'bad')")
    }

    @Test func eachGroupHasItsOwnState() throws {
        let groups = try connection.value(
            "SELECT group_concat(l, ' ') FROM (SELECT longest(x) AS l FROM t WHERE g < 3 GROUP BY g)")
        #expect(groups == "abc bc")
    }

    @Test func aGroupOfNoRowsHasAResult() throws {
        #expect(try connection.value("SELECT longest(x) FROM t WHERE g > 9") == "")
    }

    @Test func errorsBecomeThoseOfTheStatement() throws {
        let error = #expect(throws: SQLiteError.self) { try connection.value("SELECT longest(x) FROM t") }
        #expect(try #require(error).message == "a bad row")
        // The state was let go; the next statement begins again.
        #expect(try connection.value("SELECT longest(x) FROM t WHERE g = 1") == "abc")
    }
}
