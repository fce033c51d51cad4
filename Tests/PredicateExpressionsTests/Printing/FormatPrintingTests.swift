import PredicateExpressions
import TestSupport
import Testing

@Suite struct FormatPrintingTests {
    @Test func everyExpressionIsParsedBackFromItsText() throws {
        var generator = FormatGenerator(seed: 11)
        for number in 0..<2500 {
            let expression = generator.expression(depth: number % 5)
            let text = expression.format
            #expect(try Expression(format: text) == expression, "\(text)")
        }
    }

    @Test func everyPredicateIsParsedBackFromItsText() throws {
        var generator = FormatGenerator(seed: 12)
        for number in 0..<2500 {
            let predicate = generator.predicate(depth: number % 5)
            let text = predicate.format
            #expect(try Predicate(format: text) == predicate, "\(text)")
        }
    }

    @Test(arguments: [
        "name BEGINSWITH[cd] \"a\" AND (age > 3 OR age == NULL)", "NOT (a == 1 AND b == 2)", "NOT a == 1",
        "ANY items.price < 3.5",
        "a IN {1, 2, 3}", "a BETWEEN {$low, $high}", "SUBQUERY(items, $x, $x.price > 3).@count == 0",
        "SELF MATCHES \"\\\\d+\"",
        "FUNCTION($source, \"valueForKey:\", \"a\") == 1", "TERNARY(a == 1, \"x\", \"y\") == \"x\"",
        "now() > CAST(0.0, \"NSDate\")",
        "items.@count == 0", "#in == #size.#and", "#SIZE == 1",
        "ANY parts.#first == a.#Cast.#last", "$size == $source.#ci", "(a + 1) * 2 == ~b", "list[FIRST] == list[LAST]",
    ])
    func usualTextIsPrintedAsItIsWritten(text: String) throws {
        #expect(try Predicate(format: text).format == text)
    }

    /// A cast of a literal is a constant; the function of the same arguments has to look different.
    @Test func castFunctionsStayFunctions() throws {
        let function = Expression.function("castObject:toType:", [.constant(.real(1)), .constant(.string("NSDate"))])
        #expect(function.format == "castObject:toType:(1.0, \"NSDate\")")
        #expect(try Expression(format: function.format) == function)
    }

    /// A function that a later system has is kept, though it cannot be evaluated.
    @Test func unknownFunctionsAreKept() throws {
        let function = Expression.function("frobnicate:", [.keyPath("a")])
        #expect(try Expression(format: function.format) == function)
    }

    @Test(.long) func damagedTextIsAnErrorOrAValue() {
        var generator = FormatGenerator(seed: 13)
        var random = RandomNumbers(seed: 14)
        let pieces = Array("()[]{}\"'\\,.$#@%&|!<>=:+-*/~^0 9aNOTAND\u{e9}").map { String($0) }
        var readable = 0
        for number in 0..<10_000 {
            var text = Array(generator.predicate(depth: 1 + number % 3).format)
            for _ in 0...Int.random(in: 0..<3, using: &random) where !text.isEmpty {
                let place = Int.random(in: 0..<text.count, using: &random)
                if Bool.random(using: &random) {
                    text.remove(at: place)
                } else {
                    text.insert(contentsOf: pieces.randomElement(using: &random) ?? "", at: place)
                }
            }
            guard let predicate = try? Predicate(format: String(text)) else { continue }
            readable += 1
            #expect((try? Predicate(format: predicate.format)) == predicate)
        }
        #expect(readable > 100 && readable < 10_000)
    }
}
