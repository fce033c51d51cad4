import PredicateExpressions
import Testing

@Suite struct PlaceholderTests {
    @Test(arguments: [
        ("%K == %@", [ConstantValue.string("a.b"), .string("x' OR 'y")], #"a.b == "x' OR 'y""#),
        ("%K BEGINSWITH[c] %@", [.string("name"), .string("b")], #"name BEGINSWITH[c] "b""#),
        ("a > %d AND a < %lld AND b == %f", [.integer(-1), .integer(9), .integer(2)], "a > -1 AND a < 9 AND b == 2.0"),
        ("a == %d", [.boolean(true)], "a == 1"),
        ("a == %@ AND b == %@", [.null, .boolean(false)], "a == nil AND b == NO"),
        ("a BETWEEN {%@, %@}", [.integer(1), .integer(2)], "a BETWEEN {1, 2}"),
        ("ANY %K.%K == %@", [.string("a"), .string("b"), .integer(1)], "ANY a.b == 1"),
        // A word of the language is a key all the same; a placeholder in quotes is text.
        ("%K == '%@'", [.string("and")], "#and == '%@'"),
        (
            "SUBQUERY(c, $x, $x.a == %d).@count > 0", [.integer(3)],
            "SUBQUERY(c, $x, $x.a == 3).@count > 0"
        ),
    ])
    func argumentsStandForPlaceholders(format: String, arguments: [ConstantValue], plain: String) throws {
        let predicate = try Predicate(format: format, arguments: arguments)
        #expect(predicate.format == (try Predicate(format: plain)).format)
    }

    @Test func anArgumentMayBeACollection() throws {
        let values = ConstantValue.array([.integer(1), .integer(2)])
        #expect(
            try Predicate(format: "a IN %@", arguments: [values])
                == .comparison(.keyPath("a"), .memberOf, .constant(values)))
    }

    @Test func expressionsHaveThemToo() throws {
        let expression = try Expression(format: "%K * %f + $x", arguments: [.string("price"), .real(1.5)])
        #expect(expression == (try Expression(format: "price * 1.5 + $x")))
    }

    @Test(arguments: [
        ("a == %@", [ConstantValue](), FormatError.Code.placeholder, 6),
        ("a == %x", [.integer(1)], .placeholder, 6), ("a == 5 %", [.integer(1)], .placeholder, 8),
        ("a == 1", [.integer(1)], .argumentUnused, 7), ("a == '%@'", [.integer(1)], .argumentUnused, 10),
        ("%K == 1", [.integer(1)], .argumentUnfit, 1), ("%K == 1", [.string("")], .argumentUnfit, 1),
        ("a == %d", [.string("1")], .argumentUnfit, 6), ("a == %d", [.real(1)], .argumentUnfit, 6),
        ("a == %f", [.null], .argumentUnfit, 6),
    ])
    func argumentsThatDoNotFitAreErrors(
        format: String, arguments: [ConstantValue], code: FormatError.Code, column: Int
    ) {
        let error = #expect(throws: FormatError.self) { try Predicate(format: format, arguments: arguments) }
        #expect(error?.code == code && error?.column == column)
    }
}
