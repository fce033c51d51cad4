import SQLiteAccess
import SQLiteFileBuilder
import TestSupport
import Testing

/// Rows that are read ahead, from pages or from statements, and appended with other values, held against SQLite.
@Suite struct RecordBlockTests {
    private static let values: [SQLiteValue] = [
        .null, .integer(0), .integer(1), .integer(-1), .integer(200), .integer(1 << 40), .integer(.min), .real(1),
        .real(0.5), .real(-1e300), .text([]), .text(Array("1".utf8)), .text(Array("12.0".utf8)),
        .text([0xC3, 0x28, 0x41]), .text(Array("ä\u{0}ß, 12 bytes".utf8)), .text([UInt8](repeating: 65, count: 3000)),
        .blob([]), .blob([49]), .blob([UInt8](repeating: 7, count: 2000)),
    ]

    private static let columns = "i INTEGER, f FLOAT, v VARCHAR, d DECIMAL, t TIMESTAMP, b BLOB"
    /// What is read of a row, and the same in SQL.
    private static let selection = "k, 'c', NULL, ifnull(i, 7), ifnull(f, 3), v, d, t, b, f, l"
    private static var parts: [RecordColumn] {
        [
            .rowID, .constant(.string("c")), .null, .filled(1, .integer, 7), .filled(2, .real, 3), .value(3, .text),
            .value(4, .numeric), .value(5, .numeric), .value(6, .blob), .value(2, .real), .value(7, .text),
        ]
    }

    private static func source(
        _ directory: TemporaryDirectory, pageSize: Int, _ encoding: DatabaseFile.TextEncoding,
        _ random: inout RandomNumbers
    ) throws -> Connection {
        let connection = try Connection(path: directory.file("rows.sqlite"), access: .create)
        try connection.execute(
            "PRAGMA page_size = \(pageSize); PRAGMA encoding = '\(encoding.name)'; "
                + "CREATE TABLE T (k INTEGER PRIMARY KEY, \(columns))")
        for key in 1...300 {
            let row = (0..<6).map { _ in values.randomElement(using: &random) ?? .null }
            try connection.execute("INSERT INTO T VALUES (\(key * 3), ?, ?, ?, ?, ?, ?)", row)
        }
        // The records are shorter than the table is wide.
        try connection.execute("ALTER TABLE T ADD COLUMN l VARCHAR; BEGIN")
        return connection
    }

    private static func rows(
        of connection: Connection, having filter: (position: Int, numbers: SmallNumbers)? = nil
    ) throws -> RecordRows {
        let table = try #require(try RecordTable("T", in: "main", of: connection))
        return try #require(
            try RecordRows(
                TableRecords(try PageReader(connection), root: table.root), columns: table.columnCount, taking: parts,
                having: filter, encoding: table.encoding))
    }

    private func expect(_ block: RecordBlock, at row: [SQLiteValue]) {
        for (column, value) in row.enumerated() {
            #expect(block.storageClass(column) == value.storageClass)
            #expect(block.value(column) == value)
            switch value {
            case .integer(let number): #expect(block.integer(column) == number && block.string(column) == nil)
            case .real(let number): #expect(block.real(column) == number)
            case .text(let bytes): #expect(block.string(column) == String(decoding: bytes, as: UTF8.self))
            default: #expect(block.string(column) == nil && block.integer(column) == 0)
            }
        }
    }

    private static let encodings: [DatabaseFile.TextEncoding] = [.utf8, .utf16LittleEndian, .utf16BigEndian]

    @Test(arguments: [512, 4096], encodings)
    func valuesAreThoseThatSQLiteReads(pageSize: Int, encoding: DatabaseFile.TextEncoding) throws {
        let directory = try TemporaryDirectory()
        var random = RandomNumbers(seed: UInt64(encoding.rawValue))
        let connection = try Self.source(directory, pageSize: pageSize, encoding, &random)
        let rows = try Self.rows(of: connection)
        let statement = try connection.prepare("SELECT \(Self.selection) FROM T ORDER BY k")
        let read = RecordBlock(rows.affinities, encoding: encoding)
        let filled = RecordBlock(rows.affinities, encoding: encoding)
        let selected = RecordBlock(rows.affinities.map { _ in .blob }, encoding: encoding)
        try rows.begin(7...600)
        var keys: [Int64] = []
        var isMore = true
        let wanted = try connection.rows("SELECT \(Self.selection) FROM T WHERE k BETWEEN 7 AND 600 ORDER BY k")
        while try statement.step(), statement.integer(0) < 7 {}
        while isMore {
            filled.removeAll()
            let limits = (rows: Int.random(in: 1...40, using: &random), bytes: Int.random(in: 1...9000, using: &random))
            isMore = try rows.fill(filled, rows: limits.rows, bytes: limits.bytes)
            #expect(filled.count <= limits.rows)
            // Another one circulates, as between threads.
            read.exchange(filled)
            selected.removeAll()
            for _ in 0..<read.count {
                selected.append(statement, key: 0)
                _ = try statement.step()
            }
            for place in 0..<read.count {
                keys.append(read.move(to: place))
                #expect(selected.move(to: place) == keys.last)
                expect(read, at: wanted[keys.count - 1])
                expect(selected, at: wanted[keys.count - 1])
            }
        }
        #expect(keys == wanted.map { $0[0].integer })
        // Of a row that is not there.
        read.removeAll()
        #expect(read.value(5) == .null && read.string(5) == nil)
    }

    @Test func rowsAreTakenByANumber() throws {
        let directory = try TemporaryDirectory()
        var random = RandomNumbers(seed: 9)
        let connection = try Self.source(directory, pageSize: 4096, .utf8, &random)
        let numbers = try #require(SmallNumbers([1: 1, 200: 1]))
        let rows = try Self.rows(of: connection, having: (1, numbers))
        let block = RecordBlock(rows.affinities)
        try rows.begin(.min ... .max)
        #expect(try !rows.fill(block, rows: .max, bytes: .max))
        let wanted = try connection.rows("SELECT k FROM T WHERE i IN (1, 200) ORDER BY k").map { $0[0].integer }
        #expect((0..<block.count).map { block.move(to: $0) } == wanted && wanted.count > 10)
    }

    @Test func whatIsMoreThanAValueOfTheRowIsNotRead() throws {
        let directory = try TemporaryDirectory()
        var random = RandomNumbers(seed: 1)
        let connection = try Self.source(directory, pageSize: 4096, .utf8, &random)
        let records = TableRecords(try PageReader(connection), root: 2)
        #expect(try RecordRows(records, columns: 8, taking: [.rowID, .computed(1)], having: nil) == nil)
    }

    /// Other affinities than those of the source, and some values of the rows' own.
    @Test(arguments: UInt64(1)...2, encodings)
    func appendedRowsAreThoseThatSQLiteInserts(seed: UInt64, encoding: DatabaseFile.TextEncoding) throws {
        let directory = try TemporaryDirectory()
        var random = RandomNumbers(seed: seed)
        let connection = try Self.source(directory, pageSize: 4096, encoding, &random)
        let rows = try Self.rows(of: connection)
        let definition =
            "CREATE TABLE D (v VARCHAR, k INTEGER PRIMARY KEY, c BLOB, i VARCHAR, f FLOAT, d FLOAT, "
            + "t INTEGER, b BLOB, r BLOB, none INTEGER)"
        let target = directory.file("target.sqlite")
        let builder = try DatabaseBuilder(
            path: target,
            schema: try DatabaseSchema(making: [
                "PRAGMA encoding = '\(encoding.name)'", definition, "CREATE INDEX I ON D (i, t)",
            ]))
        let block = RecordBlock(rows.affinities, encoding: encoding)
        let places = [5, 0, 1, 3, 4, 6, 7, 8, 9, -1]
        let appender = RecordAppender(
            to: try builder.table("D"), columns: places, key: 0, required: [5], from: block)
        try connection.execute("ATTACH ':memory:' AS reference")
        try connection.execute("CREATE TABLE reference.\(definition.dropFirst("CREATE TABLE ".count))")
        let insert = try connection.prepare("INSERT INTO reference.D VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        var own = ReplacedRowValues(columns: Self.parts.count, limits: BuildLimits())
        try rows.begin(.min ... .max)
        #expect(try !rows.fill(block, rows: .max, bytes: .max))
        var missing = 0
        for place in 0..<block.count {
            let key = block.move(to: place)
            own.removeAll()
            for column in 1..<Self.parts.count where Int.random(in: 0..<4, using: &random) == 0 {
                let value = Self.values.randomElement(using: &random) ?? .null
                if case .text(let bytes) = value {
                    own.set(text: bytes.span, at: column)
                } else {
                    own.set(value, at: column)
                }
                #expect(own.isSet(column) && own.value(column) == value)
            }
            func value(_ column: Int) -> SQLiteValue {
                column < 0 ? .null : column == 0 ? .integer(key) : own.value(column) ?? block.value(column)
            }
            let isMissing = value(5).isNull
            #expect(try appender.append(key, own) == (isMissing ? 5 : nil))
            if isMissing {
                missing += 1
            } else {
                for (position, column) in places.enumerated() {
                    try insert.bind(value(column), at: Int32(position + 1))
                }
                try insert.run()
            }
        }
        #expect(missing > 5)
        try builder.finish()
        try connection.execute("COMMIT; ATTACH '\(target)' AS target")
        let types = ["v", "c", "i", "f", "d", "t", "b", "r", "none"].map { "\($0), typeof(\($0))" }
            .joined(separator: ", ")
        let found = try connection.rows("SELECT k, \(types) FROM target.D ORDER BY k")
        #expect(try found == connection.rows("SELECT k, \(types) FROM reference.D ORDER BY k"))
        #expect(found.count + missing == 300)
        #expect(try connection.value("PRAGMA target.integrity_check") == "ok")
    }
}
