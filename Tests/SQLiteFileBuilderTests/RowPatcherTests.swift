import Foundation
import SQLiteAccess
import TestSupport
import Testing

@testable import SQLiteFileBuilder

/// Rows that are built again with other integers make the file that rows with those integers make.
@Suite struct RowPatcherTests {
    private static let schema = [
        "CREATE TABLE T (k INTEGER PRIMARY KEY, e INTEGER, a INTEGER, t VARCHAR, b INTEGER, r FLOAT, x BLOB, c INTEGER)",
        "CREATE INDEX A ON T (a)", "CREATE INDEX B ON T (b, e)", "CREATE INDEX C ON T (t, c)",
        "CREATE INDEX D ON T (x)",
    ]
    /// The columns with integers.
    private static let integers = [1, 2, 4, 7]

    private static func number(_ random: inout RandomNumbers) -> Int64 {
        // All lengths that an integer has in a record.
        Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)
    }

    private static func value(_ column: Int, _ random: inout RandomNumbers) -> SQLiteValue {
        // The types of texts from 58 bytes on take two bytes, and rows above a few hundred go on on other pages.
        let length = [0, 1, 7, 57, 58, 200, 3000].randomElement(using: &random) ?? 0
        let bytes = (0..<length).map { _ in UInt8.random(in: 97...122, using: &random) }
        switch (column, Int.random(in: 0..<4, using: &random)) {
        case (0, _), (_, 0): return .null
        case (3, _): return .text(bytes)
        case (5, _): return .real(Double(number(&random)) / 4)
        case (6, _): return .blob(bytes)
        // What is no integer stays what it is in such columns.
        case (_, 1) where length == 7: return .text(bytes)
        default: return .integer(number(&random))
        }
    }

    private static func append(_ row: [SQLiteValue], _ rowID: Int64, to table: TableBuilder) throws {
        table.beginRow()
        for value in row { try table.append(value) }
        try table.endRow(rowID)
    }

    @Test(arguments: [512, 4096], [1, 3, 1000])
    func theFileIsThatOfRowsWithTheIntegers(pageSize: Int, blockRows: Int) throws {
        for seed in RandomNumbers.seeds(12) {
            let directory = try TemporaryDirectory()
            var random = RandomNumbers(seed: UInt64(seed * 31 + blockRows))
            let schema = try DatabaseSchema(making: ["PRAGMA page_size = \(pageSize)"] + Self.schema)
            let first = try DatabaseBuilder(path: directory.file("first"), schema: schema)
            if seed % 2 == 0 { try first.beginSpool() }
            let builders = try ["patched", "plain"].map {
                try DatabaseBuilder(path: directory.file($0), schema: schema)
            }
            let tables = try builders.map { try $0.table("T") }
            let columns = Self.integers.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
            let patcher = try #require(RowPatcher(tables[0], columns: columns))
            var edits: [[(column: Int, value: SQLiteValue)]] = []
            var increments: [Int64] = []
            for rowID in 1..<Int64(Int.random(in: 1..<80, using: &random)) {
                var row = (0..<8).map { Self.value($0, &random) }
                try Self.append(row, rowID * 2, to: first.table("T"))
                var changes: [(column: Int, value: SQLiteValue)] = []
                for column in columns where Bool.random(using: &random) {
                    changes.append(
                        (column, Bool.random(using: &random) ? .null : .integer(Self.number(&random))))
                    row[column] = changes[changes.count - 1].value
                }
                var increment: Int64 = 0
                if let column = columns.first(where: { column in !changes.contains { $0.column == column } }) {
                    increment = Int64.random(in: 0..<300, using: &random)
                    if increment > 0, case .integer(let number) = row[column] {
                        row[column] = .integer(number &+ increment)
                    }
                }
                edits.append(changes)
                increments.append(increment)
                try Self.append(row, rowID * 2, to: tables[1])
            }
            let scan = try first.spool().scan("T")
            let block = RowBlock()
            while try scan.nextRecord() {
                let index = Int(scan.rowID / 2 - 1)
                for (column, value) in edits[index] {
                    patcher.set(try #require(patcher.place(of: column)), value.integer)
                }
                if increments[index] > 0 {
                    let column = columns.first { column in !edits[index].contains { $0.column == column } }
                    patcher.add(try #require(column.flatMap { patcher.place(of: $0) }), increments[index])
                }
                try patcher.append(scan, to: block)
                guard block.count == blockRows else { continue }
                try tables[0].append(block)
                block.removeAll()
            }
            try tables[0].append(block)
            for builder in builders { try builder.finish(synchronizes: false) }
            let files = try ["patched", "plain"].map {
                try Data(contentsOf: URL(fileURLWithPath: directory.file($0)))
            }
            #expect(files[0] == files[1], "seed \(seed)")
        }
    }

    @Test func columnsThatDoNotStoreIntegersAsTheyAreCannotChange() throws {
        let directory = try TemporaryDirectory()
        let builder = try DatabaseBuilder(path: directory.file("x"), schema: DatabaseSchema(making: Self.schema))
        let table = try builder.table("T")
        for column in [0, 3, 5, 6] { #expect(RowPatcher(table, columns: [1, column]) == nil) }
        #expect(RowPatcher(table, columns: Self.integers) != nil)
    }
}
