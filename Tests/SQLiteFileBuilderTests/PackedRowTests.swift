import Foundation
import SQLiteAccess
import TestSupport
import Testing

@testable import SQLiteFileBuilder

/// Rows that are encoded before some of their integers are known make the file that rows value by value make.
@Suite struct PackedRowTests {
    private static let schema = [
        "CREATE TABLE T (k INTEGER PRIMARY KEY, e INTEGER, a INTEGER, t VARCHAR, b INTEGER, r FLOAT, d DECIMAL, x BLOB)",
        "CREATE INDEX A ON T (a)", "CREATE INDEX B ON T (b, e)", "CREATE INDEX C ON T (t, d)",
        "CREATE INDEX D ON T (x, b)",
    ]
    private static let open = [[], [2], [4], [1, 2, 4], [1, 6]]

    private static func number(_ random: inout RandomNumbers) -> Int64 {
        // All lengths that an integer has in a record.
        Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)
    }

    private static func cell(_ column: Int, _ arena: inout [UInt8], _ random: inout RandomNumbers) -> ArenaValue {
        func range(_ count: Int) -> ArenaRange {
            let start = arena.count
            for _ in 0..<count { arena.append(UInt8.random(in: 97...122, using: &random)) }
            return ArenaRange(start: start, count: count)
        }
        // The types of texts from 58 bytes on take two bytes, and rows above a few hundred go on on other pages.
        let length = [0, 1, 7, 57, 58, 200, 3000].randomElement(using: &random) ?? 0
        switch (column, Int.random(in: 0..<5, using: &random)) {
        case (_, 0): return .null
        case (3, _): return .text(range(length))
        case (7, 1): return .blob(range(length))
        case (5, _), (6, 1): return .real(Double(number(&random)) / 4)
        case (6, 2): return .text(range(2))
        default: return .integer(number(&random))
        }
    }

    @Test(arguments: 0..<5) func theFileIsThatOfRowsValueByValue(_ place: Int) throws {
        let open = Self.open[place]
        for seed in RandomNumbers.seeds(6) {
            let directory = try TemporaryDirectory()
            var random = RandomNumbers(seed: UInt64(seed))
            let paths = ["packed", "plain"].map { directory.file($0) }
            let builders = try paths.map { try DatabaseBuilder(path: $0, schema: DatabaseSchema(making: Self.schema)) }
            let tables = try builders.map { try $0.table("T") }
            let rows = try #require(PackedRows(tables[0].definition, open: open))
            var rowID: Int64 = 0
            for count in [1, 2, 3, 7, 100, 0, 1] {
                var arena: [UInt8] = []
                var cells = (0..<count).map { _ in (0..<8).map { Self.cell($0, &arena, &random) } }
                // The same in all rows, as are those that are not known yet.
                var template = [ArenaValue](repeating: .null, count: 8)
                template[1] = .integer(3)
                for index in cells.indices { cells[index][1] = .integer(3) }
                let differing = (2..<8).filter { !open.contains($0) }
                if open.contains(1) { template[1] = .null }
                // Values are in another order than columns.
                let values = cells.flatMap { row in differing.reversed().map { row[$0] } }
                try rows.replace(
                    with: template, differing.reversed().enumerated().map { (column: $1, position: $0) },
                    of: values.span, width: differing.count, count: count, in: arena.span)
                #expect(rows.count == count)
                let first = rowID + 1
                var (chosen, known): ([Int], [Int64]) = ([], [])
                for (index, row) in cells.enumerated() where Int.random(in: 0..<5, using: &random) > 0 {
                    rowID += 1
                    var whole = row
                    let numbers = open.map { _ in
                        Bool.random(using: &random) ? 0 : Self.number(&random)
                    }
                    for (column, number) in zip(open, numbers) {
                        whole[column] = number == 0 ? .null : .integer(number)
                    }
                    chosen.append(index)
                    known += numbers
                    try tables[1].append(rowID, whole.span, in: arena.span)
                }
                try tables[0].append(first, rows, chosen, numbers: known)
            }
            for builder in builders { try builder.finish() }
            let files = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
            #expect(files[0] == files[1], "seed \(seed)")
            let connection = try Connection(path: paths[0], access: .readOnly)
            #expect(try connection.value("PRAGMA integrity_check") == "ok")
            #expect(try connection.value("SELECT count(*) FROM T") == .integer(rowID))
        }
    }

    @Test func columnsThatStoreIntegersInAnotherWayAreKnownBefore() throws {
        let directory = try TemporaryDirectory()
        let builder = try DatabaseBuilder(
            path: directory.file("a"), schema: DatabaseSchema(making: Self.schema))
        let definition = try builder.table("T").definition
        for column in [0, 3, 5, 7] { #expect(PackedRows(definition, open: [column]) == nil) }
    }
}
