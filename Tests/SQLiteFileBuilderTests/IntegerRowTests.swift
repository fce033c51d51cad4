import Foundation
import SQLiteAccess
import SQLiteFileBuilder
import TestSupport
import Testing

/// Rows of integers that are written at once are those that are written value by value.
@Suite struct IntegerRowTests {
    private static let tables = [
        ["CREATE TABLE T (a INTEGER, b INTEGER, PRIMARY KEY (a, b))", "CREATE INDEX I ON T (b, a)"],
        ["CREATE TABLE T (a INTEGER, b INTEGER)", "CREATE INDEX I ON T (b DESC)", "CREATE INDEX J ON T (a, b, a)"],
        ["CREATE TABLE T (a VARCHAR, b DOUBLE)", "CREATE INDEX I ON T (a)"],
        ["CREATE TABLE T (a INTEGER PRIMARY KEY, b INTEGER)", "CREATE INDEX I ON T (b)"],
        ["CREATE TABLE T (a INTEGER, b INTEGER)"],
        ["CREATE TABLE T (a INTEGER)", "CREATE INDEX I ON T (a)"],
        ["CREATE TABLE T (a INTEGER, b INTEGER, c INTEGER)", "CREATE INDEX I ON T (c, a)", "CREATE INDEX J ON T (c)"],
        [
            "CREATE TABLE T (a INTEGER, b INTEGER, c INTEGER, d INTEGER, PRIMARY KEY (a, c))",
            "CREATE INDEX I ON T (d, b)", "CREATE INDEX J ON T (b DESC, a, d)",
        ],
        ["CREATE TABLE T (a INTEGER, b INTEGER, c REAL, d INTEGER)", "CREATE INDEX I ON T (d)"],
    ]

    /// Rows of four numbers in order, with some that need up to eight bytes: behind `fitting` rows come those that fit
    /// into no half of a key.
    private func rows(_ count: Int, fitting: Int) -> [[Int64]] {
        (0..<count).map { index in
            let number = Int64(index)
            if index >= fitting, index % 5 == 0 {
                return [number << 31, number % 2 == 0 ? .max - number : .min, number << 40, -number << 33]
            }
            return [number / 3, number * 7919 % 301 - 2, number * 1024 % 4099, number % 2]
        }
    }

    private func build(
        _ statements: [String], _ rows: [[Int64]], _ path: String, _ limits: BuildLimits, atOnce: Bool
    ) throws -> [UInt8] {
        let builder = try DatabaseBuilder(path: path, schema: try DatabaseSchema(making: statements), limits: limits)
        let table = try builder.table("T")
        for (index, row) in rows.enumerated() {
            let values = row.prefix(table.definition.columns.count)
            if atOnce {
                var integers = IntegerRow()
                for value in values { integers.append(value) }
                try table.append(Int64(index) + 1, integers)
                continue
            }
            table.beginRow()
            for value in values { table.append(value) }
            try table.endRow(Int64(index) + 1)
        }
        try builder.finish()
        let connection = try Connection(path: path, access: .readOnly)
        #expect(try connection.rows("PRAGMA integrity_check").map { $0[0].string } == ["ok"])
        return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test(arguments: tables, [0, 1, 700, 3000])
    func areTheSame(_ statements: [String], _ fitting: Int) throws {
        let directory = try TemporaryDirectory()
        var files: [[UInt8]] = []
        for (run, block) in [(1, 1), (2, 3), (7, 2), (1 << 16, 512)] {
            var limits = BuildLimits()
            (limits.integerRun, limits.integerBlock) = (run, block)
            for atOnce in [true, false] {
                let path = directory.file("\(run)-\(atOnce).sqlite")
                files.append(try build(statements, rows(1500, fitting: fitting), path, limits, atOnce: atOnce))
            }
        }
        #expect(files.allSatisfy { $0 == files[0] })
    }

    @Test func anotherNumberOfColumnsIsRejected() throws {
        let directory = try TemporaryDirectory()
        let schema = try DatabaseSchema(making: ["CREATE TABLE T (a INTEGER, b INTEGER, c INTEGER)"])
        let builder = try DatabaseBuilder(path: directory.file("db.sqlite"), schema: schema)
        let table = try builder.table("T")
        var integers = IntegerRow()
        for count in 1...IntegerRow.maximumCount {
            integers.append(1)
            guard count != 3 else { continue }
            let error = #expect(throws: BuildError.self) { try table.append(1, integers) }
            #expect(error?.kind == .columnCount(table: "T", expected: 3, found: count))
        }
    }
}
