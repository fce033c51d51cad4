import PredicateExpressions
import SQLiteAccess
import TestSupport
import Testing

/// What a condition may have: what is at a limit becomes SQL that means what evaluating it does, and what is beyond is
/// refused.
@Suite struct SQLLimitTests {
    private static let compiler = SQLCompiler(PeopleSchema(), entity: PeopleSchema.person, alias: "p")

    private static func texts(_ count: Int) -> String { (0..<count).map { "\"n\($0)\"" }.joined(separator: ", ") }

    /// Predicates with so many elements, parameters or parts.
    private static func predicates(_ count: Int) -> [String] {
        let numbers = (0..<count).map(String.init).joined(separator: ", ")
        return [
            "age IN {\(numbers)}", "NOT (points IN {\(numbers)})", "name IN {\(texts(count))}",
            (0..<count).map { "age != \($0)" }.joined(separator: " AND "),
            (0..<count).map { "name == \"n\($0)\"" }.joined(separator: " OR "),
            "name IN {\(texts(count))} OR (nick == \"x\" AND age IN {\(numbers)})",
        ]
    }

    @Test(arguments: [1, 2, 3, 7])
    func whatIsBeyondALimitIsRefusedAndTheRestMeansWhatItDoesInSwift(limit: Int) throws {
        for (parts, elements, parameters) in [(limit, 99, 99), (99, limit, 99), (99, 99, limit), (limit, limit, limit)]
        {
            var limits = SQLLimits()
            (limits.parts, limits.elements, limits.parameters) = (parts, elements, parameters)
            var comparison = try SQLComparison(seed: UInt64(limit), limits: limits)
            for count in max(1, limit - 1)...limit + 2 {
                for text in Self.predicates(count) {
                    let difference = try comparison.difference(FormatPredicate(format: text))
                    #expect(difference == nil, "\(parts), \(elements), \(parameters): \(text)")
                }
            }
            #expect(comparison.refused > 0 && comparison.compared > 0, "\(parts), \(elements), \(parameters)")
        }
    }

    @Test(arguments: [1, 2, 3, 7])
    func theFirstThingBeyondALimitIsNamed(limit: Int) throws {
        func reason(_ format: String, _ change: (inout SQLLimits) -> Void) throws -> String? {
            var compiler = Self.compiler
            change(&compiler.limits)
            let predicate = try FormatPredicate(format: format)
            do throws(SQLRefusal) {
                _ = try compiler.compile(predicate)
                return nil
            } catch {
                return error.reason
            }
        }
        let (numbers, texts) = (Self.predicates(limit)[0], Self.predicates(limit)[2])
        let (moreNumbers, moreTexts) = (Self.predicates(limit + 1)[0], Self.predicates(limit + 1)[2])
        #expect(try reason(numbers) { $0.elements = limit } == nil)
        #expect(try reason(moreNumbers) { $0.elements = limit } == "it has too many elements")
        #expect(try reason(texts) { $0.parameters = limit } == nil)
        #expect(try reason("\(numbers) OR \(moreTexts)") { $0.parameters = limit } != nil)
        // Numbers are no parameters.
        #expect(try reason(moreNumbers) { $0.parameters = limit } == nil)
        #expect(try reason(Self.predicates(limit + 1)[3]) { $0.parts = limit } == "it has too many parts")
    }

    /// The limits are those that SQLite keeps.
    @Test(.long) func whatIsAtTheLimitsRuns() throws {
        let connection = try Connection(path: ":memory:", access: .create)
        try connection.execute(
            "CREATE TABLE ZPERSON (ZNAME, ZNICK, ZAGE); INSERT INTO ZPERSON VALUES ('n19999', 'n9999', 1)")
        let limits = SQLLimits()
        // As text, such lists would be longer than a predicate may be.
        func count(_ names: Int, _ nicks: Int) throws -> Int64? {
            func list(_ count: Int) -> ConstantValue { .array((0..<count).map { .string("n\($0)") }) }
            let compiler = SQLCompiler(
                PeopleSchema(), entity: PeopleSchema.person, alias: "p",
                variables: ["names": list(names), "nicks": list(nicks)])
            let fragment = try compiler.compile(FormatPredicate(format: "name IN $names AND nick IN $nicks"))
            return try connection.value("SELECT count(*) FROM ZPERSON AS p WHERE \(fragment.text)", fragment.parameters)
                .integer
        }
        let rest = limits.parameters - limits.elements
        #expect(try count(limits.elements, rest) == 1)
        #expect(throws: SQLRefusal.self) { try count(limits.elements, rest + 1) }
        #expect(throws: SQLRefusal.self) { try count(limits.elements + 1, 1) }
    }
}
