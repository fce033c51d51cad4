import PredicateExpressions
import TestSupport
import Testing

@Suite struct PredicateParsingTests {
    private static let a = Expression.keyPath("a")
    private static let one = Expression.constant(.integer(1))

    @Test(arguments: [
        ("a == 1", Predicate.comparison(a, .equal, one)), ("a = 1", .comparison(a, .equal, one)),
        ("a != 1", .comparison(a, .notEqual, one)), ("a <> 1", .comparison(a, .notEqual, one)),
        ("a < 1", .comparison(a, .lessThan, one)), ("a <= 1", .comparison(a, .lessThanOrEqual, one)),
        ("a =< 1", .comparison(a, .lessThanOrEqual, one)), ("a > 1", .comparison(a, .greaterThan, one)),
        ("a >= 1", .comparison(a, .greaterThanOrEqual, one)), ("a => 1", .comparison(a, .greaterThanOrEqual, one)),
        ("a MATCHES 'x'", .comparison(a, .matches, .constant(.string("x")))),
        ("a LIKE[cd] 'x'", .comparison(a, .like, .constant(.string("x")), [.caseInsensitive, .diacriticInsensitive])),
        ("a BEGINSWITH[c] \"x\"", .comparison(a, .beginsWith, .constant(.string("x")), .caseInsensitive)),
        ("a endswith [n] \"x\"", .comparison(a, .endsWith, .constant(.string("x")), .normalized)),
        ("a CONTAINS[l] \"x\"", .comparison(a, .contains, .constant(.string("x")), .localeSensitive)),
        ("a IN {1, $b}", .comparison(a, .memberOf, .aggregate([one, .variable("b")]))),
        ("a BETWEEN {1, 1}", .comparison(a, .between, .aggregate([one, one]))),
        ("TRUEPREDICATE", .constant(true)), ("falsepredicate", .constant(false)),
        ("a == NULL", .comparison(a, .equal, .constant(.null))), ("a == nil", .comparison(a, .equal, .constant(.null))),
        ("a == YES", .comparison(a, .equal, .constant(.boolean(true)))),
        ("a == false", .comparison(a, .equal, .constant(.boolean(false)))),
        ("SELF > 1", .comparison(.evaluatedObject, .greaterThan, one)),
    ])
    func comparisons(text: String, predicate: Predicate) throws {
        #expect(try Predicate(format: text) == predicate)
    }

    @Test func modifiers() throws {
        let any = ComparisonPredicate(Self.a, .equal, Self.one, modifier: .any)
        #expect(try Predicate(format: "ANY a == 1") == .comparison(any))
        #expect(try Predicate(format: "some a == 1") == .comparison(any))
        #expect(try Predicate(format: "NONE a == 1") == .not(.comparison(any)))
        #expect(
            try Predicate(format: "ALL a == 1")
                == .comparison(ComparisonPredicate(Self.a, .equal, Self.one, modifier: .all)))
    }

    @Test func andBindsTighterThanOrAndNotTightest() throws {
        let (p, q, r) = ("a == 1", "b == 1", "c == 1")
        let parts = try [p, q, r].map { try Predicate(format: $0) }
        #expect(try Predicate(format: "\(p) OR \(q) AND \(r)") == .or([parts[0], .and([parts[1], parts[2]])]))
        #expect(try Predicate(format: "(\(p) OR \(q)) AND \(r)") == .and([.or([parts[0], parts[1]]), parts[2]]))
        #expect(try Predicate(format: "NOT \(p) && !\(q)") == .and([.not(parts[0]), .not(parts[1])]))
        #expect(try Predicate(format: "\(p) AND \(q) AND \(r)") == .and(parts))
        #expect(try Predicate(format: "(\(p) AND \(q)) AND \(r)") == .and([.and([parts[0], parts[1]]), parts[2]]))
        #expect(try Predicate(format: "\(p) || \(q)") == .or([parts[0], parts[1]]))
    }

    @Test func parenthesesHoldEitherKind() throws {
        let sum = Expression.function("add:to:", [Self.a, .keyPath("b")])
        #expect(try Predicate(format: "((a + b)) > (1)") == .comparison(sum, .greaterThan, Self.one))
        #expect(try Predicate(format: "(((a > 1)))") == .comparison(Self.a, .greaterThan, Self.one))
        #expect(try Predicate(format: "(a & 4) != 0").format == "a & 4 != 0")
    }

    @Test(arguments: [
        ("", FormatError.Code.unexpectedEnd, 1), ("a ==", .unexpectedEnd, 5), ("a", .predicateExpected, 1),
        ("a == 1 AND b", .predicateExpected, 12), ("a == (b == 1)", .expressionExpected, 6),
        ("a == 1)", .unexpectedToken, 7),
        ("(a == 1", .unexpectedEnd, 8), ("a == 'x", .textNotClosed, 6), ("a == %@", .placeholder, 6),
        ("%K == 1", .placeholder, 1), ("a LIKE[x] 'b'", .optionUnknown, 8), ("a ? b", .unexpectedCharacter, 3),
        ("a == 1x", .numberInvalid, 6), ("a == 1e999", .numberInvalid, 6), ("ANY a", .unexpectedEnd, 6),
        ("a NOT IN b", .operatorUnknown, 3), ("a IS NULL", .operatorUnknown, 3),
        ("ANY a.b UTI-EQUALS 'c'", .operatorUnknown, 9), ("SELF isKindOfClass: b", .operatorUnknown, 6),
        ("a % 2 == 0", .placeholder, 3), ("a == b == c", .unexpectedToken, 8), ("nothing(a) == 1", .functionUnknown, 1),
        ("add(a) == 1", .argumentCountWrong, 1),
        ("sum:(a, b) == 1", .argumentCountWrong, 1), ("and == 1", .unexpectedToken, 1),
        ("é == 'ü' ]", .unexpectedToken, 10),
        ("a == '\\u12'", .escapeInvalid, 7), ("a == \"\\uD800\"", .escapeInvalid, 7),
        ("SUBQUERY(a, b, c == 1) == 1", .unexpectedToken, 13),
        ("a == 99999999999999999999999999999999999999999999", .numberInvalid, 6),
    ])
    func mistakesAreNamedWithTheirPlace(text: String, code: FormatError.Code, column: Int) {
        do {
            let predicate = try Predicate(format: text)
            Issue.record("parsed as \(predicate)")
        } catch {
            #expect(error.code == code)
            #expect(error.column == column)
        }
    }

    @Test func messagesPointAtThePlace() {
        do {
            _ = try Predicate(format: "name == \"x\" AND age > %d")
            Issue.record("parsed")
        } catch {
            #expect(error.description.hasPrefix("column 23: there is nothing to put in for a % placeholder"))
            #expect(
                error.marked(in: "name == \"x\" AND age > %d") == """
                    name == "x" AND age > %d
                                          ^
                    """)
        }
    }

    @Test(.long, arguments: ["(", "NOT ", "!", "-", "~", "{", "a[", "sum(", "a + ", "a UNION "])
    func nestingBeyondTheLimitIsAnError(opening: String) {
        #expect(throws: FormatError.self) {
            try Predicate(format: String(repeating: opening, count: 20_000) + "a == 1")
        }
        #expect(throws: FormatError.self) { try Expression(format: String(repeating: opening, count: 20_000) + "a") }
    }

    @Test func longListsAreNoNesting() throws {
        let text = (0..<5000).map { "a == \($0)" }.joined(separator: " OR ")
        #expect(try Predicate(format: text).format == text)
    }

    /// Its tree would take several hundred times as much memory.
    @Test(.long) func aTextHasALongestLength() throws {
        let list = String(repeating: "1,", count: 65_524)
        _ = try Predicate(format: "a IN {\(list)1} AND YES = 1")
        let error = #expect(throws: FormatError.self) { try Predicate(format: "a IN {\(list)1,2,3,4} AND YES = 1") }
        #expect(error?.code == .tooLong && error?.offset == 131_072)
        #expect("\(String(describing: error))".contains("$variable"))
    }
}
