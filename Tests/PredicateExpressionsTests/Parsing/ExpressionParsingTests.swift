import PredicateExpressions
import Testing

@Suite struct ExpressionParsingTests {
    private static let a = Expression.keyPath("a")
    private static let b = Expression.keyPath("b")

    @Test(arguments: [
        ("42", ConstantValue.integer(42)), ("-42", .integer(-42)), ("0x1F", .integer(31)), ("0o17", .integer(15)),
        ("0b101", .integer(5)), ("1.5", .real(1.5)), ("-1e3", .real(-1000)), ("9223372036854775807", .integer(.max)),
        ("-9223372036854775808", .integer(.min)), ("'a\\'b'", .string("a'b")),
        ("\"\\n\\t\\\\ \\u00e9 \\x41\"", .string("\n\t\\ é A")),
        ("\"\\d+\"", .string("\\d+")), ("'世界'", .string("世界")), ("NULL", .null), ("Yes", .boolean(true)),
        ("CAST(86400, \"NSDate\")", .date(86_400)), ("CAST(-1.5, 'NSDate')", .date(-1.5)),
        ("CAST(\"https://example.org\", \"NSURL\")", .url("https://example.org")),
        ("CAST(\"AQI=\", \"NSData\")", .data([1, 2])),
        ("CAST(\"00010203-0405-0607-0809-0A0B0C0D0E0F\", \"NSUUID\")", .uuid(Array(0..<16))),
        ("CAST({1, \"a\"}, \"NSSet\")", .set([.integer(1), .string("a")])),
        ("CLASS(\"NSString\")", .className("NSString")),
    ])
    func constants(text: String, value: ConstantValue) throws {
        #expect(try Expression(format: text) == .constant(value))
    }

    @Test(arguments: [
        ("a.b.c", Expression.keyPath("a.b.c")), ("SELF.a", a), ("self", .evaluatedObject), ("$x", .variable("x")),
        ("$x.a.b", .keyPath("a.b", on: .variable("x"))), ("items.@count", .keyPath("items.@count")),
        ("a.@distinctUnionOfSets.b", .keyPath("a.@distinctUnionOfSets.b")), ("#size", .keyPath("size")),
        ("$#first.last", .keyPath("last", on: .variable("first"))),
        ("#in.a", .keyPath("in.a")), ("a.#and", .keyPath("a.and")), ("size", .keyPath("size")),
        ("@max.b", .keyPath("@max.b")),
        ("#\"odd name\"", .keyPath("odd name")), ("größe", .keyPath("größe")), ("ANYKEY", .anyKey),
        ("{}", .aggregate([])), ("{a, {1}}", .aggregate([a, .aggregate([.constant(.integer(1))])])),
        ("a UNION b", .set(.union, a, b)), ("a INTERSECT b", .set(.intersect, a, b)), ("a minus b", .set(.minus, a, b)),
        ("$v := a", .assignment(variable: "v", a)),
        ("a[FIRST]", .function("objectFrom:withIndex:", [a, .symbol(.first)])),
        ("a[last]", .function("objectFrom:withIndex:", [a, .symbol(.last)])),
        ("a[SIZE]", .function("objectFrom:withIndex:", [a, .symbol(.size)])),
        ("a[0]", .function("objectFrom:withIndex:", [a, .constant(.integer(0))])),
        ("a['key']", .function("objectFrom:withIndex:", [a, .constant(.string("key"))])),
    ])
    func pathsVariablesAndCollections(text: String, expression: Expression) throws {
        #expect(try Expression(format: text) == expression)
    }

    @Test(arguments: [
        ("sum:(a)", Expression.function("sum:", [a])), ("sum(a)", .function("sum:", [a])),
        ("now()", .function("now", [])),
        ("count(a)", .function("count:", [a])), ("uppercase:(a)", .function("uppercase:", [a])),
        ("canonical:(a)", .function("canonical:", [a])), ("modulus:by:(a, b)", .function("modulus:by:", [a, b])),
        ("a + b", .function("add:to:", [a, b])), ("a - b", .function("from:subtract:", [a, b])),
        ("a * b", .function("multiply:by:", [a, b])), ("a / b", .function("divide:by:", [a, b])),
        ("a ** b", .function("raise:toPower:", [a, b])), ("a & b", .function("bitwiseAnd:with:", [a, b])),
        ("a | b", .function("bitwiseOr:with:", [a, b])), ("a ^ b", .function("bitwiseXor:with:", [a, b])),
        ("a << b", .function("leftshift:by:", [a, b])), ("a >> b", .function("rightshift:by:", [a, b])),
        ("~a", .function("onesComplement:", [a])), ("-a", .function("from:subtract:", [.constant(.integer(0)), a])),
        ("a -1", .function("from:subtract:", [a, .constant(.integer(1))])),
        ("CAST(a, \"NSNumber\")", .function("castObject:toType:", [a, .constant(.string("NSNumber"))])),
        ("distanceToLocation:fromLocation:(a, b)", .function("distanceToLocation:fromLocation:", [a, b])),
    ])
    func functionsAndOperators(text: String, expression: Expression) throws {
        #expect(try Expression(format: text) == expression)
    }

    @Test func operatorsBindAsInArithmetic() throws {
        #expect(try Expression(format: "a + b * 2").format == "a + (b * 2)")
        #expect(try Expression(format: "a - b - 2").format == "(a - b) - 2")
        #expect(try Expression(format: "2 * a ** b").format == "2 * (a ** b)")
        #expect(try Expression(format: "a & 1 << 2 + 3").format == "a & (1 << (2 + 3))")
        #expect(try Expression(format: "a + 1 UNION b").format == "(a + 1) UNION b")
    }

    @Test func methodsAreCalledInBothNotations() throws {
        let source = Expression.variable("source")
        let value = Expression.invocation(
            target: source, selector: "valueForKey:", arguments: [.constant(.string("cars"))])
        let call = Expression.invocation(
            target: .variable("manager"), selector: "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
            arguments: [.constant(.string("cars")), value])
        #expect(
            try Expression(
                format: "$manager.destinationInstancesForSourceRelationshipNamed:sourceInstances:"
                    + "(\"cars\", $source.valueForKey:(\"cars\"))") == call)
        #expect(
            try Expression(
                format: "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\" , "
                    + "\"cars\", FUNCTION($source, 'valueForKey:', 'cars'))") == call)
        #expect(
            try Expression(format: "$entityPolicy.migrateIdentifier()")
                == .invocation(target: .variable("entityPolicy"), selector: "migrateIdentifier", arguments: []))
        #expect(try Expression(format: "FUNCTION($a, \"b\").c.d").format == "FUNCTION($a, \"b\").c.d")
    }

    @Test func fetchesSubqueriesAndConditions() throws {
        let fetch =
            "FETCH(FUNCTION($manager,\"fetchRequestForSourceEntityNamed:predicateString:\",\"E\",\"TRUEPREDICATE\"),"
            + "$manager.sourceContext,NO)"
        guard case .fetchRequest(let request, let context, false) = try Expression(format: fetch) else {
            Issue.record("no fetch request")
            return
        }
        #expect(context == .keyPath("sourceContext", on: .variable("manager")))
        #expect(
            request
                == .invocation(
                    target: .variable("manager"), selector: "fetchRequestForSourceEntityNamed:predicateString:",
                    arguments: [.constant(.string("E")), .constant(.string("TRUEPREDICATE"))]))
        #expect(
            try Expression(format: "SUBQUERY(items, $x, $x.price > 3).@count")
                == .keyPath(
                    "@count",
                    on: .subquery(
                        collection: .keyPath("items"), variable: "x",
                        predicate: .comparison(
                            .keyPath("price", on: .variable("x")), .greaterThan, .constant(.integer(3))))))
        #expect(
            try Expression(format: "TERNARY(a == NULL, b, a)")
                == .conditional(.comparison(Self.a, .equal, .constant(.null)), then: Self.b, otherwise: Self.a))
    }
}
