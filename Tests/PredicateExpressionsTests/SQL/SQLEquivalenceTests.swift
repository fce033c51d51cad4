import PredicateExpressions
import TestSupport
import Testing

/// The same expression over the same rows, in Swift and in SQLite. `FERRY_EXPRESSIONS` sets how many are made.
struct SQLEquivalenceTests {
    private static var count: Int {
        TestSettings.number("FERRY_EXPRESSIONS", default: 2000)
    }

    @Test(.long, arguments: [1, 2, 3, 4] as [UInt64])
    func randomExpressionsAreTheSameInSwiftAndSQL(_ seed: UInt64) throws {
        var comparison = try SQLComparison(seed: seed)
        var differences: [String] = []
        for number in 0..<UInt64(Self.count / 4) where differences.count < 25 {
            var generator = SQLExpressionGenerator(seed: seed << 32 | number)
            let depth = Int(number % 4)
            let difference =
                number % 2 == 0
                ? try comparison.difference(generator.expression(depth: depth + 1))
                : try comparison.difference(generator.predicate(depth: depth))
            if let difference { differences.append(difference) }
        }
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n\n"))")
        // Most must be compared, or nothing is tested.
        #expect(
            comparison.compared > comparison.refused, "\(comparison.compared) compared, \(comparison.refused) refused")
        #expect(comparison.errors > 0)
        #expect(comparison.divided > comparison.refused / 4, "\(comparison.divided) of \(comparison.refused)")
    }

    /// Chains that are longer than a level of SQL may be deep, and lists after IN.
    @Test(arguments: [199, 200, 201, 202, 1000, 20_000])
    func longChainsAndListsAreTheSameInSwiftAndSQL(_ count: Int) throws {
        var comparison = try SQLComparison(seed: 3)
        let parts = try (0..<count).map { try FormatPredicate(format: "age == \($0 * 7 % 101)") }
        let ages = (0..<count).map { FormatExpression.constant(.integer(Int64($0 * 7 % 101))) }
        let list = FormatPredicate.comparison(
            ComparisonPredicate(.keyPath("age"), .memberOf, .aggregate(ages)))
        for predicate in [.or(parts), .and(parts.map { .not($0) }), list] as [FormatPredicate] {
            if let difference = try comparison.difference(predicate) { Issue.record("\(difference.prefix(300))") }
        }
        #expect(comparison.refused == 0)
    }

    @Test func longChainsOfWhatCanFailAreTheSameInSwiftAndSQL() throws {
        var comparison = try SQLComparison(seed: 3)
        let parts = try (0..<300).map { number in
            try FormatPredicate(format: number % 50 == 49 ? "points + \(number) > 2" : "age == \(number)")
        }
        for predicate in [.or(parts), .and(parts.map { .not($0) })] as [FormatPredicate] {
            if let difference = try comparison.difference(predicate) { Issue.record("\(difference.prefix(300))") }
        }
        #expect(comparison.compared + comparison.errors > 0)
    }
}
