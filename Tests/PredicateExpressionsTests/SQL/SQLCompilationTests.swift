import PredicateExpressions
import SQLiteAccess
import Testing

struct SQLCompilationTests {
    private static let compiler = SQLCompiler(
        PeopleSchema(), entity: PeopleSchema.person, alias: "p", rowVariables: ["source"],
        variables: ["seven": .integer(7), "nothing": .null], now: 500.25)

    @Test(arguments: [
        ("name", "p.\"ZNAME\""),
        ("$source.boss.name", "(SELECT p_1.\"ZNAME\" FROM \"ZPERSON\" AS p_1 WHERE p_1.\"Z_PK\" = p.\"ZBOSS\")"),
        ("boss", "p.\"ZBOSS\""),
        ("SELF", "p.\"Z_PK\""),
        ("age + 1", "(p.\"ZAGE\" + 1)"),
        ("points + 1", "ferry_integer((p.\"ZPOINTS\" + 1))"),
        ("name + \" \" + nick", "((p.\"ZNAME\" || ?1) || p.\"ZNICK\")"),
        ("pets.@count", "(SELECT count(*) FROM \"ZPET\" AS p_1 WHERE p_1.\"ZOWNER\" = p.\"Z_PK\")"),
        (
            "TERNARY(nick == NULL, name, nick)",
            "CASE WHEN (p.\"ZNICK\" IS NULL) THEN p.\"ZNAME\" ELSE p.\"ZNICK\" END"
        ),
    ])
    func expressionsBecomeSQL(_ text: String, _ sql: String) throws {
        #expect(try Self.compiler.compile(FormatExpression(format: text)).text == sql)
    }

    /// SQLite allows a thousand levels: long chains become groups of shorter ones.
    @Test(arguments: ["OR", "AND"], [200, 201, 1_000, 8_000])
    func longChainsBecomeSQL(word: String, count: Int) throws {
        let text = (0..<count).map { "age != \($0)" }.joined(separator: " \(word) ")
        let connection = try Connection(path: ":memory:", access: .create)
        try connection.execute("CREATE TABLE P (ZAGE)")
        let sql = try Self.compiler.compile(FormatPredicate(format: text)).text
        _ = try connection.rows("SELECT 1 FROM P AS p WHERE \(sql)")
    }

    @Test(arguments: [
        ("age > 3 AND nick != nil", "((p.\"ZAGE\" > 3) AND (p.\"ZNICK\" IS NOT NULL))"),
        (
            "ANY pets.name == \"x\"",
            "(EXISTS (SELECT 1 FROM \"ZPET\" AS p_1 WHERE p_1.\"ZOWNER\" = p.\"Z_PK\" AND ((p_1.\"ZNAME\" = ?1))))"
        ),
        ("name LIKE[c] \"a*\"", "ferry_like(p.\"ZNAME\", ?1, 1)"),
        ("age IN {1, 2}", "(p.\"ZAGE\" IN (1, 2))"),
        ("nick == $nothing", "(p.\"ZNICK\" IS NULL)"),
        (
            "age > 3 AND points + 1 > 2 AND nick != NULL",
            "((p.\"ZAGE\" > 3) AND (p.\"ZNICK\" IS NOT NULL) AND CASE WHEN ((p.\"ZAGE\" > 3)) IS FALSE THEN 0 "
                + "ELSE ((ferry_integer((p.\"ZPOINTS\" + 1)) > 2)) END)"
        ),
        ("points + 1 > 2 AND age > 3", "((ferry_integer((p.\"ZPOINTS\" + 1)) > 2) AND (p.\"ZAGE\" > 3))"),
        (
            "age > 3 OR abs:(points) > 2",
            "((p.\"ZAGE\" > 3) OR CASE WHEN ((p.\"ZAGE\" > 3)) IS TRUE THEN 1 ELSE ((abs(p.\"ZPOINTS\") > 2)) END)"
        ),
        (
            "born > CAST(\"2024-02-29\", \"NSDate\") AND abs:(age) > 2",
            "((p.\"ZBORN\" > ferry_cast(?1, 'string', 'NSDate')) AND (abs(p.\"ZAGE\") > 2))"
        ),
        (
            "ANY pets.name MATCHES name",
            "(EXISTS (SELECT 1 FROM \"ZPET\" AS p_1 WHERE (p_1.\"ZOWNER\" = p.\"Z_PK\" AND CASE WHEN "
                + "(p_1.\"ZOWNER\" = p.\"Z_PK\") IS FALSE THEN 0 ELSE "
                + "((ferry_matches(p_1.\"ZNAME\", p.\"ZNAME\", 0))) END)))"
        ),
    ])
    func predicatesBecomeSQL(_ text: String, _ sql: String) throws {
        #expect(try Self.compiler.compile(FormatPredicate(format: text)).text == sql)
    }

    @Test(arguments: [
        ("price * 2", "price * 2 cannot be evaluated in SQL: decimals are computed exactly, in Swift"),
        ("mode:(pets.weight)", "mode:(pets.weight) cannot be evaluated in SQL: its value is a collection"),
        ("1 + random()", "random() cannot be evaluated in SQL: each evaluation has another value"),
        ("secret", "secret cannot be evaluated in SQL: secret is transient"),
        ("nme", "nme cannot be evaluated in SQL: there is no property nme"),
        ("$manager.sourceContext", "$manager cannot be evaluated in SQL: the variable has no value"),
        ("FUNCTION(SELF, \"go\")", "FUNCTION(SELF, \"go\") cannot be evaluated in SQL: methods are called in Swift"),
        ("TERNARY(name == 1, 1, 2)", "name == 1 cannot be evaluated in SQL: a string and an integer are compared"),
        (
            "TERNARY(pets.name == \"a\", 1, 2)",
            "pets.name == \"a\" cannot be evaluated in SQL: a collection is compared; ANY or ALL may be missing"
        ),
    ])
    func whatCannotBecomeSQLSaysWhy(_ text: String, _ message: String) throws {
        let expression = try FormatExpression(format: text)
        let refusal = #expect(throws: SQLRefusal.self) { try Self.compiler.compile(expression) }
        #expect(try #require(refusal).description == message)
    }

    /// The parts of each level stand twice in the statement.
    @Test func deepTreesOfWhatCanFailAreRefusedBeforeTheyAreTooLarge() throws {
        let connection = try Connection(path: ":memory:", access: .create)
        try connection.registerExpressionFunctions()
        try connection.execute(PeopleSchema.statements)
        let failing = try FormatPredicate(format: "points + 1 > 2")
        var predicate = failing
        var isRefused = false
        for level in 0..<30 where !isRefused {
            predicate = level % 2 == 0 ? .and([failing, predicate]) : .or([failing, predicate])
            if let fragment = try? Self.compiler.compile(predicate) {
                _ = try connection.prepare("SELECT * FROM ZPERSON AS p WHERE \(fragment.text)")
                #expect(fragment.text.utf8.count <= 1 << 18)
            } else {
                isRefused = true
            }
        }
        #expect(isRefused)
    }

    @Test func whatStandsSideBySideIsNotDeep() throws {
        let part = try FormatPredicate(
            format: "age > 3 OR name MATCHES \"a*\" OR SUBQUERY(team, $t, $t.points * 2 > 3).@count > 0")
        let connection = try Connection(path: ":memory:", access: .create)
        try connection.registerExpressionFunctions()
        try connection.execute(PeopleSchema.statements)
        let fragment = try Self.compiler.compile(.and(Array(repeating: part, count: 40)))
        _ = try connection.prepare("SELECT * FROM ZPERSON AS p WHERE p.Z_PK > 0 AND \(fragment.text)")
    }

    @Test func deepTreesAreRefusedBeforeSQLiteDoes() throws {
        let connection = try Connection(path: ":memory:", access: .create)
        try connection.registerExpressionFunctions()
        try connection.execute(PeopleSchema.statements)
        var expression = FormatExpression.keyPath("age")
        var isRefused = false
        for _ in 0..<100 where !isRefused {
            expression = .function("add:to:", [.constant(.integer(1)), .function("abs:", [expression])])
            if let fragment = try? Self.compiler.compile(expression) {
                _ = try connection.prepare("SELECT \(fragment.text) FROM ZPERSON AS p")
            } else {
                isRefused = true
            }
        }
        #expect(isRefused)
    }

    @Test(arguments: [150, 200, 300, 5000])
    func deepTreesOfLongChainsAreRefusedBeforeSQLiteDoes(_ count: Int) throws {
        let connection = try Connection(path: ":memory:", access: .create)
        try connection.registerExpressionFunctions()
        try connection.execute(PeopleSchema.statements)
        let parts = (0..<count).map {
            FormatPredicate.comparison(
                ComparisonPredicate(.keyPath("age"), .equal, .constant(.integer(Int64($0)))))
        }
        var predicate = FormatPredicate.or(parts)
        var isRefused = false
        for level in 0..<30 where !isRefused {
            if let fragment = try? Self.compiler.compile(predicate) {
                _ = try connection.prepare("SELECT * FROM ZPERSON AS p WHERE \(fragment.text)")
            } else {
                isRefused = true
            }
            predicate = level % 2 == 0 ? .and([predicate] + parts) : .or(parts + [predicate])
        }
        #expect(isRefused)
    }
}
