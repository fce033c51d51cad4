import PredicateExpressions
import TestSupport
import Testing

struct EvaluationErrorTests {
    private static func error(_ text: String) -> EvaluationError? {
        #expect(throws: EvaluationError.self) { try TestGraph.value(text) }
    }

    @Test(arguments: [
        ("1 + 9223372036854775807", EvaluationError.Code.overflow, 0),
        ("2 * (1 + 9223372036854775807)", .overflow, 5),
        ("-9223372036854775808 / -1", .overflow, 0),
        ("abs:(-9223372036854775808)", .overflow, 0),
        ("CAST(\"1e127\", \"NSDecimalNumber\") * CAST(\"1e127\", \"NSDecimalNumber\")", .overflow, 0),
        ("sum:({9223372036854775807, 1})", .overflow, 0),
        ("age + name", .typeMismatch, 0),
        ("1.5 & 2", .typeMismatch, 0),
        ("uppercase:(1)", .typeMismatch, 0),
        ("sum:({\"a\"})", .typeMismatch, 0),
        ("TERNARY(name < 1, 1, 2)", .typeMismatch, 8),
        ("TERNARY(pets.weight > 1, 1, 2)", .typeMismatch, 8),
        ("TERNARY(1 LIKE \"a\", 1, 2)", .typeMismatch, 8),
        ("TERNARY(1 BETWEEN {1}, 1, 2)", .typeMismatch, 8),
        ("nme + \"x\"", .nameUnknown, 0),
        ("\"x\" + boss.nme", .nameUnknown, 6),
        ("age.absoluteString", .nameUnknown, 0),
        ("$seveen + 1", .nameUnknown, 0),
        ("pets.@summ.weight", .nameUnknown, 0),
        ("CAST(\"x\" + \"\", \"NSNumber\")", .conversionFailed, 0),
        ("CAST(1, \"NSColor\")", .unsupported, 0),
        ("distanceToLocation:fromLocation:(1, 2)", .unsupported, 0),
        ("FUNCTION($manager2, \"x\")", .methodUnknown, 0),
        ("1 + FUNCTION(\"s\", \"launch\")", .methodUnknown, 4),
        ("TERNARY(name MATCHES \"a(\", 1, 2)", .patternInvalid, 8),
        ("TERNARY(name ==[l] \"a\", 1, 2)", .unsupported, 8),
        ("$x := 1", .unsupported, 0),
        ("ANYKEY", .unsupported, 0),
        ("random:(0)", .typeMismatch, 0),
    ])
    func whatHasNoValueSaysWhere(_ text: String, _ code: EvaluationError.Code, _ offset: Int) throws {
        let error = try #require(Self.error(text))
        #expect(error.code == code, "\(error)")
        #expect(error.offset == offset, "\(error)")
    }

    @Test func anErrorIsShownWithACaret() throws {
        let error = try #require(Self.error("2 * (1 + name)"))
        #expect(error.marked == "2 * (1 + name)\n     ^")
        #expect("\(error)" == "column 6: + is not for an integer and a string; CAST one of them (in 1 + name)")
    }

    /// Each level makes the text sixteen times as long: a kilobyte would ask for more than any memory holds.
    @Test(.long) func aTextThatIsMultipliedAgainAndAgainIsStopped() throws {
        var text = "\"aaaaaaaaaaaaaaaa\""
        for _ in 0..<12 {
            text =
                "FUNCTION(\(text), \"stringByReplacingOccurrencesOfString:withString:\", \"a\", \"aaaaaaaaaaaaaaaa\")"
        }
        let error = try #require(Self.error(text))
        #expect(error.code == .tooLarge)
        #expect(error.detail.contains("longer than 16777216 bytes"))
    }

    @Test(arguments: [
        ("name + name", 6, 5), ("FUNCTION(name, \"stringByAppendingString:\", name)", 6, 5),
        ("FUNCTION(name, \"stringByReplacingOccurrencesOfString:withString:\", \"n\", \"1234\")", 9, 8),
        ("FUNCTION({name, name}, \"componentsJoinedByString:\", \"\")", 6, 5),
    ])
    func aTextIsAsLongAsTheLimitAndNoLonger(_ text: String, _ enough: Int, _ tooFew: Int) throws {
        func length(_ limit: Int) throws -> Int? {
            var graph = TestGraph()
            var limits = EvaluationLimits()
            limits.textBytes = limit
            let program = try FormatExpression(format: text).compile(resolving: &graph, limits: limits)
            guard case .string(let value) = try program.evaluate(in: graph) else { return nil }
            return value.utf8.count
        }
        #expect(try length(enough) == enough)
        let error = #expect(throws: EvaluationError.self) { try length(tooFew) }
        #expect(error?.code == .tooLarge)
    }

    @Test(arguments: [
        ("FUNCTION(\"a,b,c\", \"componentsSeparatedByString:\", \",\")", 3),
        ("tokenize:using:(\"a,b,c\", \",\")", 3),
    ])
    func aTextIsTakenApartToAsManyPartsAsTheLimit(_ text: String, _ count: Int) throws {
        func parts(_ limit: Int) throws -> Int? {
            var graph = TestGraph()
            var limits = EvaluationLimits()
            limits.elements = limit
            return try FormatExpression(format: text).compile(resolving: &graph, limits: limits)
                .evaluate(in: graph).elements?.count
        }
        #expect(try parts(count) == count)
        let error = #expect(throws: EvaluationError.self) { try parts(count - 1) }
        #expect(error?.code == .tooLarge)
    }

    /// The work of nested subqueries is the product of their collections.
    @Test func nestedSubqueriesAreStopped() throws {
        func count(_ limit: Int) throws -> ExpressionValue {
            var graph = TestGraph()
            var limits = EvaluationLimits()
            limits.subqueryElements = limit
            var text = "$a.weight > 0"
            for name in ["a", "b", "c"] {
                text = "SUBQUERY(pets, $\(name), \(name == "a" ? text : text + ".@count > 0"))"
            }
            return try FormatExpression(format: text + ".@count").compile(resolving: &graph, limits: limits)
                .evaluate(in: graph)
        }
        #expect(try count(3 + 9 + 27) == .integer(3))
        let error = #expect(throws: EvaluationError.self) { try count(3 + 9 + 26) }
        #expect(error?.code == .tooLarge)
    }

    @Test func costlyPatternsAreStopped() throws {
        let text = String(repeating: "a", count: 64)
        let error = try #require(Self.error("TERNARY(\"\(text)\" MATCHES \"(a+)+b\", 1, 2)"))
        #expect(error.code == .patternTooCostly)
    }

    @Test func wildcardsDoNotExplode() throws {
        let text = String(repeating: "a", count: 2000)
        let pattern = String(repeating: "a*", count: 200) + "b"
        #expect(try TestGraph.truth("\"\(text)\" LIKE \"\(pattern)\"") == false)
    }

    @Test(arguments: [259, 261])
    func deepTreesAreRefused(_ depth: Int) throws {
        var expression = FormatExpression.constant(.integer(1))
        for _ in 1..<depth {
            expression = .function("abs:", [expression])
        }
        if depth > 260 {
            #expect(throws: EvaluationError.self) { try expression.constantValue() }
        } else {
            #expect(try expression.constantValue() == .integer(1))
        }
    }

    @Test func longKeyPathsAreRefused() throws {
        let path = Array(repeating: "boss", count: 100).joined(separator: ".")
        #expect(try #require(Self.error(path)).code == .tooDeep)
    }
}
