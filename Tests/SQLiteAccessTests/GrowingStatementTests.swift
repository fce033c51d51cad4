import SQLiteAccess
import TestSupport
import Testing

/// SQL that is put together of any number of parts.
@Suite struct GrowingStatementTests {
    @Test(arguments: RandomNumbers.limitSizes + [400], [1, 2, 7, 8, 50, 1300])
    func selectionsOfAnyNumberAreOne(most: Int, count: Int) throws {
        let connection = try Connection(path: ":memory:", access: .create)
        let selections = (0..<count).map { "SELECT \($0 * $0) AS a, \($0) AS b" }
        let sql = UnionAll.sql(selections, columns: "a, b", most: most)
        let found = try connection.rows("SELECT a, b FROM (\(sql)) ORDER BY b").map { $0.map { $0.integer ?? -1 } }
        #expect(found == (0..<count).map { [Int64($0 * $0), Int64($0)] })
    }

    @Test(arguments: RandomNumbers.limitSizes + [100], [1, 2, 7, 8, 50, 400])
    func theFirstOfAnyNumberOfValuesThatIsNotNULL(most: Int, count: Int) throws {
        let connection = try Connection(path: ":memory:", access: .create)
        for first in [0, 1, count / 2, count - 1, count] {
            let values = (0..<count).map { $0 < first ? "NULL" : "\($0)" }
            let found = try connection.value("SELECT \(Coalescence.sql(values, most: most))")
            #expect(found.integer == (first < count ? Int64(first) : nil))
        }
    }
}
