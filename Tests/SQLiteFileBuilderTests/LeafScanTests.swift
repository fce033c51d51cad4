import SQLiteAccess
import TestSupport
import Testing

@testable import SQLiteFileBuilder

/// Rows that are read from the leaves of a table are those that were written, on pages of all sizes.
@Suite struct LeafScanTests {
    /// When it is said that rows are read again: never, before the first row, or when pages are written already.
    enum Expectation: CaseIterable {
        case none, first, late
    }

    @Test(arguments: [512, 1024, 4096, 65536], [0, 1, 2, 40, 1000])
    func rowsAreReadAsTheyWereWritten(pageSize: Int, count: Int) throws {
        for expectation in Expectation.allCases {
            try check(pageSize: pageSize, count: count, expectation)
        }
    }

    private func check(pageSize: Int, count: Int, _ expectation: Expectation) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("rows.sqlite")
        let connection = try Connection(path: path, access: .create)
        defer { try? connection.close() }
        try connection.execute(
            "PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = 2; CREATE TABLE t (a, b, c); BEGIN")
        var limits = BuildLimits()
        limits.pagesPerWrite = 1 << 12
        let rebuild = try DatabaseRebuild.begin(
            connection, indexes: ["CREATE INDEX i ON t (a)"], limits: limits)
        if expectation == .first { try rebuild.expectRestart() }
        func values(_ row: Int) -> [SQLiteValue] {
            // Some go on over several pages.
            let long = row % 17 == 3 ? pageSize * 3 + row : row % 90
            return [
                .integer(Int64(row) * 7919 - 1000), row % 5 == 0 ? .null : .real(Double(row) / 8),
                row % 2 == 0
                    ? .text([UInt8](repeating: 65, count: long))
                    : .blob([UInt8](repeating: UInt8(row % 256), count: long)),
            ]
        }
        let table = try rebuild.table("t")
        for row in 0..<count {
            table.beginRow()
            for value in values(row) { try table.append(value) }
            try table.endRow(Int64(row * 3 + 1))
        }
        if expectation == .late { try rebuild.expectRestart() }
        let rows = try rebuild.restart()
        let scan = try rows.scan("t")
        let again = try rebuild.table("t")
        for row in 0..<count {
            #expect(try scan.next())
            #expect(scan.rowID == Int64(row * 3 + 1))
            #expect((0..<3).map { scan.record.value($0) } == values(row))
            again.beginRow()
            for column in 0..<3 { again.append(column, of: scan.record) }
            try again.endRow(scan.rowID)
        }
        #expect(try !scan.next())
        try checkSkips(of: rows, count: count)
        try rebuild.finish()
        try connection.execute("COMMIT")
        #expect(try connection.rows("PRAGMA integrity_check") == [["ok"]])
        #expect(try connection.rows("SELECT a, b, c FROM t ORDER BY rowid") == (0..<count).map(values))
    }

    /// Windows of rows whose IDs are 1, 4, 7 and so on are read one after the other, some of them without a row, and
    /// some of them only in part.
    private func checkSkips(of rows: BuiltRows, count: Int) throws {
        let last = Int64(count * 3 - 2)
        for seed in 0..<4 {
            var random = RandomNumbers(seed: UInt64(count * 10 + seed))
            let scan = try rows.scan("t")
            var first: Int64 = 0
            while first <= last + 10 {
                let end = first + Int64.random(in: 0...(seed % 2 == 0 ? 8 : 400), using: &random)
                try scan.skip(to: first)
                let isPart = Int.random(in: 0..<4, using: &random) == 0
                var wanted = (first...end).filter { $0 % 3 == 1 && $0 <= last }
                if isPart { wanted.removeLast(wanted.count / 2) }
                for id in wanted {
                    #expect(try scan.nextRecord(upTo: end))
                    #expect(scan.rowID == id)
                }
                if !isPart {
                    for _ in 0..<2 { #expect(try !scan.nextRecord(upTo: end)) }
                }
                // The next window follows immediately, or later.
                first = end + 1 + Int64(Int.random(in: 0..<3, using: &random) * Int.random(in: 0...500, using: &random))
            }
            try scan.skip(to: last + 1)
            #expect(try !scan.nextRecord())
        }
    }

    @Test func pairsComeInTheirOrderAndAreFound() throws {
        let directory = try TemporaryDirectory()
        for limit in [1, 100, 1 << 20] {
            let sorter = PairSorter(SpoolMemory(limit: limit, beside: directory.file("x")))
            let numbers = (0..<3000).map { Int64($0 * 7919 % 3001) }
            for number in numbers { try sorter.add(number, number * 2) }
            let sorted = try sorter.sorted()
            let cursor = try sorted.cursor()
            for number in numbers.sorted() {
                #expect(try cursor.seek(number))
                #expect(cursor.second == number * 2)
            }
            #expect(try sorted.value(of: numbers[17]) == numbers[17] * 2)
            #expect(try sorted.value(of: 4000) == nil)
            #expect(try sorted.value(of: -1) == nil)
        }
    }

    @Test func piecesAreFoundAtTheirPlaces() throws {
        let directory = try TemporaryDirectory()
        let file = try ByteFile(beside: directory.file("x"))
        let sizes =
            [0, 1, 70_000, 3, 65_532, 65_533, 200_000, 12, 507, 508, 509, 512] + (0..<400).map { $0 * 37 % 900 }
        let pieces = sizes.map { [UInt8](repeating: UInt8($0 % 251), count: $0) }
        let places = try pieces.map { try file.append($0.span) }
        var random = RandomNumbers(seed: 5)
        // Far from each other, backwards, and in their order.
        for order in [
            [7, 0, 2, 6, 1, 5, 3, 4], pieces.indices.shuffled(using: &random), pieces.indices.reversed(),
            Array(pieces.indices),
        ] {
            for index in order {
                #expect(try file.withPiece(at: places[index]) { Array(copying: $0) } == pieces[index])
            }
        }
    }
}
