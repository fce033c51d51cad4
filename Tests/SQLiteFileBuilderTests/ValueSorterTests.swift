import SQLiteAccess
import TestSupport
import Testing

@testable import SQLiteFileBuilder

/// Numbers that are ranked by values have the ranks that SQLite gives them.
@Suite struct ValueSorterTests {
    @Test(arguments: [1, 2, 3, 7, 1000])
    func ranksAreThoseOfSQLite(limit: Int) throws {
        let directory = try TemporaryDirectory()
        let texts = ["", "a", "A", "ab", "a\0b", "longer than eight bytes", "1", "ä"]
        for seed in RandomNumbers.seeds(20) {
            var random = RandomNumbers(seed: UInt64(limit * 1000 + seed))
            func value() -> SQLiteValue {
                let number = Int64.random(in: -3...3, using: &random)
                let text = Array((texts.randomElement(using: &random) ?? "").utf8)
                switch Int.random(in: 0..<7, using: &random) {
                case 0: return .null
                case 1: return .integer(number)
                case 2: return .integer(.max - 3 + number)
                case 3: return .real(Double(number) / 2)
                case 4: return .real([1e300, -1e300, 9_007_199_254_740_992, -0.0].randomElement(using: &random) ?? 0)
                case 5: return .text(text)
                default: return .blob(text)
                }
            }
            let values = (0..<Int.random(in: 0...60, using: &random)).map { _ in value() }
            let sorter = ValueSorter(SpoolMemory(limit: limit * 40, beside: directory.file("spool")))
            let connection = try Connection(path: ":memory:", access: .create)
            defer { try? connection.close() }
            try connection.execute("CREATE TABLE t (number INTEGER PRIMARY KEY, value)")
            for (number, value) in values.enumerated() {
                try sorter.add(value, of: Int64(number))
                try connection.execute("INSERT INTO t VALUES (?, ?)", [.integer(Int64(number)), value])
            }
            let expected = try connection.rows(
                "SELECT number, dense_rank() OVER (ORDER BY value) FROM t ORDER BY number")
            let ranks = try sorter.ranks().cursor()
            for row in expected {
                #expect(ranks.first == row[0].integer && ranks.second == row[1].integer, "seed \(seed) \(values)")
                try ranks.advance()
            }
            #expect(ranks.first == nil)
        }
    }
}
