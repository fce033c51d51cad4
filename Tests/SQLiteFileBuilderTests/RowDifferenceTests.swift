import SQLiteAccess
import SQLiteFileBuilder
import TestSupport
import Testing

/// Cells that are compared with rows in their pages, held against the values that SQLite reads.
@Suite struct RowDifferenceTests {
    private static let values: [SQLiteValue] = [
        .null, .integer(0), .integer(1), .integer(-1), .integer(200), .integer(1 << 40), .integer(.max), .real(0),
        .real(1), .real(0.5), .real(-1e300), .real(1_099_511_627_776), .text([]), .text(Array("1".utf8)),
        .text(Array("ä\u{0}ß, 12 bytes".utf8)), .text([UInt8](repeating: 65, count: 3000)), .blob([]), .blob([49]),
        .blob([UInt8](repeating: 7, count: 2000)),
    ]

    private static func cell(_ value: SQLiteValue, _ arena: inout [UInt8]) -> ArenaValue {
        func range(_ bytes: [UInt8]) -> ArenaRange {
            defer { arena += bytes }
            return ArenaRange(start: arena.count, count: bytes.count)
        }
        return switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let bytes): .text(range(bytes))
        case .blob(let bytes): .blob(range(bytes))
        }
    }

    /// Whether a row has a value: whole reals may be stored as integers.
    private static func isSame(_ stored: SQLiteValue, _ value: SQLiteValue) -> Bool {
        if case .integer(let number) = stored, case .real(let real) = value { return Double(number) == real }
        return stored == value
    }

    @Test(arguments: [512, 4096], UInt64(1)...4)
    func theFirstDifferenceIsWhereSQLiteReadsAnotherValue(pageSize: Int, seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        let directory = try TemporaryDirectory()
        let connection = try Connection(path: directory.file("rows.sqlite"), access: .create)
        try connection.execute(
            "PRAGMA page_size = \(pageSize); CREATE TABLE T (k INTEGER PRIMARY KEY, i INTEGER, f FLOAT, v VARCHAR, "
                + "d DECIMAL, t TIMESTAMP, b BLOB)")
        func value() -> SQLiteValue { Self.values.randomElement(using: &random) ?? .null }
        for _ in 0..<300 {
            try connection.execute(
                "INSERT INTO T (i, f, v, d, t, b) VALUES (?, ?, ?, ?, ?, ?)", (0..<6).map { _ in value() })
        }
        try connection.execute("ALTER TABLE T ADD COLUMN l VARCHAR; BEGIN")
        let table = try #require(try RecordTable("T", in: "main", of: connection))
        // In another order than in the record.
        let columns = ["k", "b", "t", "i", "l", "v", "f", "d"]
        let rows = try #require(
            TableRows(of: table, columns: columns, having: nil, in: try PageReader(connection)))
        try rows.begin(.min ... .max)
        let statement = try connection.prepare("SELECT \(columns.joined(separator: ", ")) FROM T ORDER BY k")
        var (equal, different) = (0, 0)
        while try statement.step() {
            #expect(try rows.next())
            var arena: [UInt8] = []
            let stored = (0..<8).map { statement.value($0) }
            // One value may be another one.
            let changed = Int.random(in: -3..<8, using: &random)
            let wanted = stored.indices.map { $0 == changed ? value() : stored[$0] }
            let cells = wanted.map { Self.cell($0, &arena) }
            for first in 0...8 {
                for column in 0...first {
                    let part = Array(cells[column...])
                    let found = rows.firstDifference(
                        from: first - column, of: part.span, at: Int32(column), in: arena.span)
                    let expected = (first..<8).first { !Self.isSame(stored[$0], wanted[$0]) } ?? 8
                    #expect(found == expected - column)
                }
            }
            if zip(stored, wanted).allSatisfy({ Self.isSame($0, $1) }) { equal += 1 } else { different += 1 }
        }
        #expect(try !rows.next())
        #expect(equal > 50 && different > 50)
    }
}
