import PredicateExpressions
import Testing

/// What random expressions have found to differ between Swift and SQL.
struct SQLFindingTests {
    @Test(arguments: [
        "CAST(length:(\"straße\") ^ (-9223372036854775808 + 7), \"NSDate\")",
        "CAST(points, \"NSDate\")", "FUNCTION(CAST(\"NSDate\", \"Class\"), \"dateWithTimeIntervalSince1970:\", height)",
        "ceiling:((9223372036854775807 * age) / (boss.age / 9223372036854775807))",
        "average:({boss.boss.age, -9223372036854775808, 9223372036854775807})", "clubs.@avg.fee", "clubs.@sum.fee",
        "team.@sum.height", "median:(pets.weight)", "stddev:(clubs.fee)", "sum:({height, 0.1, 0.2, -1e300, 1e300})",
        "points * 3 + nick.length", "nick.length - points * 3", "points * 3 / 0", "1 + points * 3 - 7",
    ])
    func expressions(_ text: String) throws {
        var comparison = try SQLComparison(seed: 1)
        let difference = try comparison.difference(FormatExpression(format: text))
        #expect(difference == nil)
        #expect(comparison.compared == 1)
    }

    /// They run in Swift only: SQLite would give something else.
    @Test(arguments: [
        "ceiling:(boss.boss.age + NULL) ** (CAST(born, \"NSNumber\") + points * age)",
        "pets.@sum.weight - -9223372036854775808",
    ])
    func refusals(_ text: String) throws {
        var comparison = try SQLComparison(seed: 1)
        let difference = try comparison.difference(FormatExpression(format: text))
        #expect(difference == nil)
        #expect(comparison.refused == 1)
    }

    @Test(arguments: [
        "ALL {NULL, exp:(pets.@avg.legs)} != length:(lowercase:(pets.@min.name))",
        "ANY {NULL, 3} == age", "nick == noindex:(NULL)", "ALL pets.name != noindex:(NULL)",
        "home.absoluteString MATCHES \"\"", "pets.@min.name MATCHES[c] \"\"",
    ])
    func predicates(_ text: String) throws {
        var comparison = try SQLComparison(seed: 2)
        let difference = try comparison.difference(FormatPredicate(format: text))
        #expect(difference == nil)
        #expect(comparison.compared == 1)
    }
}
