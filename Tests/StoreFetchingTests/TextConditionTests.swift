import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import StoreFetching
import Testing

/// Attributes of other types compared with texts: numbers are understood, and what can be no value is an error.
@Suite struct TextConditionTests {
    private static let evaluations: [FetchEvaluation] = [.automatic, .inSwift]

    private func lines(_ text: String, _ evaluation: FetchEvaluation, in sample: OpenedSample) throws -> [String] {
        var request = FetchRequest(entityName: "Employee", predicate: try FormatPredicate(format: text))
        request.resultType = .objectIDs
        return try sample.lines(request, evaluation)
    }

    @Test(arguments: evaluations)
    func textsOfNumbersAreNumbers(evaluation: FetchEvaluation) throws {
        let sample = try OpenedSample.company()
        let level = try #require(sample.rows("SELECT ZLEVEL FROM ZPERSON WHERE ZLEVEL > 0 LIMIT 1").first)
        let expected = try lines("level == \(level)", evaluation, in: sample)
        #expect(!expected.isEmpty)
        for text in [
            "level == \"\(level)\"", "\"\(level)\" == level", "level IN {\"\(level)\", \"-1\"}",
            "level == \"\(level).0\"", "level BETWEEN {\"\(level)\", \"\(level)\"}",
            "NOT (level < \"\(level)\" OR level > \"\(level)\")",
        ] {
            #expect(try lines(text, evaluation, in: sample).sorted() == expected.sorted(), "\(text)")
        }
    }

    @Test(arguments: evaluations)
    func nothingIsInAnEmptyList(evaluation: FetchEvaluation) throws {
        let sample = try OpenedSample.company()
        for text in [
            "lastName IN {}", "lastName + \"x\" IN {}", "TERNARY(level == 1, \"a\", lastName) IN {}", "level + 1 IN {}",
        ] {
            #expect(try lines(text, evaluation, in: sample).isEmpty, "\(text)")
            #expect(try !lines("NOT (\(text))", evaluation, in: sample).isEmpty, "\(text)")
        }
    }

    @Test(arguments: [
        ("level == \"D1\"", "level"), ("\"\" == level", "level"), ("level != \"1x\"", "level"),
        ("level IN {\"1\", \"D1\"}", "level"), ("level > \"D1\"", "level"),
        ("manager.level == \"D1\"", "manager.level"), ("TRUEPREDICATE OR NOT level == \"D1\"", "level"),
        ("hired == \"yesterday\"", "hired"),
        ("SUBQUERY(directReports, $r, $r.level == \"D1\").@count > 0", "level"),
        ("SUBQUERY(directReports, $r, $r.department.code IN {\"1\", \"D1\"}).@count == 0", "department.code"),
        (
            "SUBQUERY(directReports, $r, SUBQUERY($r.directReports, $s, \"D1\" == $s.level).@count > 0).@count > 0",
            "level"
        ),
        ("SUBQUERY(SUBQUERY(directReports, $r, $r.level > 0), $s, $s.level < \"D1\").@count > 0", "level"),
        ("SUBQUERY(directReports, $r, $r.level > 0 AND level == \"D1\").@count > 0", "level"),
        ("TERNARY(level == \"D1\", 1, 2) == 1", "level"),
        ("projects.@count == \"D1\"", "projects.@count"),
    ])
    func whatCanBeNoValueIsAnError(text: String, path: String) throws {
        let sample = try OpenedSample.company()
        for evaluation in Self.evaluations {
            let error = #expect(throws: FetchError.self) { try lines(text, evaluation, in: sample) }
            #expect(error?.keyPath == path, "\(text): \(String(describing: error))")
        }
    }

    @Test(arguments: evaluations)
    func textsOfNumbersAreNumbersInSubqueries(evaluation: FetchEvaluation) throws {
        let sample = try OpenedSample.company()
        let level = try #require(
            sample.rows("SELECT r.ZLEVEL FROM ZPERSON r JOIN ZPERSON m ON m.Z_PK = r.ZMANAGER LIMIT 1").first)
        let expected = try lines("SUBQUERY(directReports, $r, $r.level == \(level)).@count > 0", evaluation, in: sample)
        #expect(!expected.isEmpty)
        let text = "SUBQUERY(directReports, $r, $r.level == \"\(level)\").@count > 0"
        #expect(try lines(text, evaluation, in: sample) == expected)
    }

    @Test(arguments: evaluations)
    func textsOfTextsStayTexts(evaluation: FetchEvaluation) throws {
        let sample = try OpenedSample.company()
        #expect(try lines("lastName == \"12\"", evaluation, in: sample) == [])
    }
}
