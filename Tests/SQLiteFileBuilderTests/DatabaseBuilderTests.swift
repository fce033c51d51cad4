import SQLiteAccess
import SQLiteFileBuilder
import TestSupport
import Testing

@Suite struct DatabaseBuilderTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func compare(
        _ statements: [String], _ table: String, _ rows: [[SQLiteValue]], pageSize: Int = 4096
    ) throws {
        let rows = rows.enumerated().map { BothWriters.Row(id: Int64($0 + 1), values: $1) }
        try BothWriters(pageSize: pageSize, statements: statements, rows: [(table, rows)]).compare(in: directory)
    }

    @Test(arguments: [
        "", "INTEGER", "VARCHAR", "BLOB", "FLOAT", "TIMESTAMP", "DECIMAL", "BOOLEAN", "CHARINT", "FLOATING POINT",
        "STRING",
    ])
    func valuesAreStoredAsSQLiteStoresThem(_ type: String) throws {
        let numbers: [SQLiteValue] = [
            0, 1, -1, 2, 127, 128, -128, -129, 32767, 32768, -32769, 8_388_607, 8_388_608, -8_388_609, 2_147_483_648,
            .integer(1 << 47 - 1), .integer(1 << 47), .integer(-(1 << 47) - 1), .integer(.max), .integer(.min),
            .integer(.max - 1),
        ]
        let reals = [
            0.0, -0.0, 1, 1.5, -2, 1e15, 1e18, 9.223372036854775e18, 9_223_372_036_854_775_808,
            -9_223_372_036_854_775_808, 1e19, 1e300, 0.1,
            .nan, .infinity, -.infinity, 140_737_488_355_327, 140_737_488_355_328, .leastNonzeroMagnitude,
        ].map { SQLiteValue.real($0) }
        let texts = [
            "", "0", "-0", "1", "1.0", "1.5", " 12", "12 ", "+5", ".5", "5.", "1e3", "1e", "0x10", "abc", "12abc",
            "nan", "NaN", "inf",
            "123456789012345678", "1234567890123456.5", "10.11", "0.1", "-10.25", "9223372036854775807",
            "9223372036854775808",
            "00012", "1_000", "\u{a0}1", "1\0", "2024-01-02",
        ].map { SQLiteValue.string($0) }
        let blobs = [SQLiteValue.blob([]), .blob([0x31]), .blob([0xff, 0])]
        let values = numbers + reals + texts + blobs + [.null]
        try compare(
            [
                "CREATE TABLE T (k INTEGER PRIMARY KEY, v \(type))", "CREATE INDEX up ON T (v)",
                "CREATE INDEX down ON T (v DESC, k)",
            ],
            "T", values.map { [.null, $0] })
    }

    @Test(arguments: [512, 1024, 4096, 65536])
    func rowsOfEverySizeAroundThatOfAPageAreWritten(_ pageSize: Int) throws {
        let sizes =
            [0, 1, 30, 60].flatMap { around in
                [pageSize, pageSize * 2, pageSize / 4, pageSize - 35, pageSize * 64 / 255].map { $0 - around }
            } + Array(pageSize - 50...pageSize - 20)
        let rows = sizes.filter { $0 >= 0 }.map {
            [.null, SQLiteValue.blob([UInt8](repeating: UInt8($0 & 0xff), count: $0))]
        }
        try compare(
            ["CREATE TABLE T (k INTEGER PRIMARY KEY, v BLOB)", "CREATE INDEX I ON T (v)"], "T", rows,
            pageSize: pageSize)
    }

    @Test func schemasOfEverySizeAreWritten() throws {
        // The first page has 100 bytes less than the others.
        for length in Array(stride(from: 0, to: 900, by: 60)) + Array(385...410) {
            let both = BothWriters(
                pageSize: 512, statements: ["CREATE TABLE T (\(String(repeating: "c", count: length + 1)))"],
                rows: [("T", [])])
            try both.compare(in: TemporaryDirectory(), worksOn: length % 5 == 0)
        }
    }

    @Test(.long) func everyNumberOfRowsLeavesWholeTrees() throws {
        // Small pages: the levels change often, and their last pages are shared in all ways.
        for count in Array(0...90) + [300, 1000, 4001] {
            let rows = (0..<count).map {
                [SQLiteValue.null, .string("key \($0 &* 7919 % 1000)"), .integer(Int64($0 % 3))]
            }
            let both = BothWriters(
                pageSize: 512,
                statements: [
                    "CREATE TABLE T (k INTEGER PRIMARY KEY, a VARCHAR, b INTEGER)", "CREATE INDEX A ON T (a, b)",
                    "CREATE INDEX B ON T (b)",
                ],
                rows: [("T", rows.enumerated().map { BothWriters.Row(id: Int64($0 + 1), values: $1) })])
            try both.compare(in: TemporaryDirectory(), worksOn: count % 10 == 1)
        }
    }

    @Test func pagesAreFilled() throws {
        let rows = (0..<5000).map { [SQLiteValue.null, .string("row number \($0)")] }
        try compare(
            [
                "CREATE TABLE Other (a)", "CREATE TABLE T (k INTEGER PRIMARY KEY, v VARCHAR)",
                "CREATE INDEX I ON T (v)",
            ], "T", rows)
        let path = directory.file("again.sqlite")
        try BothWriters(
            statements: ["CREATE TABLE T (k INTEGER PRIMARY KEY, v VARCHAR)", "CREATE INDEX I ON T (v)"],
            rows: [("T", rows.enumerated().map { BothWriters.Row(id: Int64($0 + 1), values: $1) })]
        ).build(path)
        let connection = try Connection(path: path, access: .readOnly)
        let fill = try connection.rows(
            "SELECT name, sum(unused) * 1.0 / sum(pgsize) FROM dbstat WHERE pagetype = 'leaf' GROUP BY name"
        )
        for row in fill where row[0].string != "sqlite_schema" { #expect(row[1].real ?? 1 < 0.02, "\(row)") }
        #expect(try connection.value("PRAGMA freelist_count") == 0)
    }

    @Test(arguments: [1, 2, 3])
    func equalValuesInAUniqueIndexNameBothRows(_ sortedIn: Int) throws {
        let schema = try DatabaseSchema(making: [
            "CREATE TABLE T (k INTEGER PRIMARY KEY, v VARCHAR, w INTEGER)", "CREATE UNIQUE INDEX U ON T (v, w)",
        ])
        let builder = try DatabaseBuilder(
            path: directory.file("x.sqlite"), schema: schema,
            limits: BuildLimits(sortMemory: sortedIn == 1 ? 1 << 20 : sortedIn * 100))
        let table = try builder.table("T")
        for id in Int64(1)...50 {
            table.beginRow()
            table.appendNull()
            // NULLs are never equal.
            try table.append(id % 5 == 0 ? .null : .string("value \(id == 33 ? 17 : id)"))
            table.append(Int64(4))
            try table.endRow(id)
        }
        #expect(
            throws: BuildError(
                .notUnique(index: "U", columns: "T.v, T.w", row: 33, other: 17), path: directory.file("x.sqlite"))
        ) { try builder.finish() }
    }

    @Test func rowsThatBreakARuleAreRefused() throws {
        let schema = try DatabaseSchema(making: ["CREATE TABLE T (k INTEGER PRIMARY KEY, v VARCHAR NOT NULL)"])
        let path = directory.file("x.sqlite")
        let builder = try DatabaseBuilder(path: path, schema: schema)
        let table = try builder.table("T")
        func append(_ id: Int64, _ values: [SQLiteValue]) throws {
            table.beginRow()
            for value in values { try table.append(value) }
            try table.endRow(id)
        }
        try append(5, [.null, "a"])
        #expect(throws: BuildError(.notAscending(table: "T", row: 5, previous: 5), path: path)) {
            try append(5, [.null, "a"])
        }
        #expect(throws: BuildError(.missing(table: "T", column: "v", row: 6), path: path)) {
            try append(6, [.null, .null])
        }
        #expect(throws: BuildError(.columnCount(table: "T", expected: 2, found: 1), path: path)) {
            try append(7, [.null])
        }
        #expect(throws: BuildError(.columnCount(table: "T", expected: 2, found: 3), path: path)) {
            try append(7, [1, "b", 2])
        }
        #expect(throws: BuildError(.unknownTable("U"), path: path)) { try builder.table("U") }
        try append(7, [.null, "b"])
        try builder.finish()
        let connection = try Connection(path: path, access: .readOnly)
        #expect(try connection.rows("SELECT * FROM T") == [[5, "a"], [7, "b"]])
    }

    @Test(arguments: [
        "CREATE TABLE T (a PRIMARY KEY) WITHOUT ROWID", "CREATE TABLE T (a, b AS (a + 1))",
        "CREATE TABLE T (a INTEGER PRIMARY KEY AUTOINCREMENT)", "CREATE VIRTUAL TABLE T USING fts5(a)",
    ])
    func whatTheBuilderDoesNotWriteIsDeclinedWithAReason(_ sql: String) throws {
        #expect(try !DatabaseSchema(making: [sql]).declined.isEmpty)
    }

    /// Indexes with a condition, an expression or a collation, also automatic ones, in files of all kinds.
    @Test(arguments: [0, 1, 2], [DatabaseFile.TextEncoding.utf8, .utf16LittleEndian, .utf16BigEndian])
    func sqliteFillsIndexesThatTheBuilderLeavesEmpty(_ vacuum: Int, _ encoding: DatabaseFile.TextEncoding) throws {
        let texts: [SQLiteValue] = (0..<2000).map { .string("\($0 % 2 == 0 ? "Name" : "nAME") \($0 / 2) ä\u{0}x") }
        let rows = texts.enumerated().map { number, text in
            BothWriters.Row(
                id: Int64(number) * 3 - 70,
                values: [
                    text, number % 7 == 0 ? .null : .integer(Int64(number % 50)), .real(Double(number) / 4),
                    number % 3 == 0 ? text : .integer(Int64(number)),
                ])
        }
        var writers = BothWriters(
            statements: [
                "CREATE TABLE T (a TEXT COLLATE RTRIM UNIQUE, b INTEGER CHECK (b < 60), c REAL NOT NULL, d)",
                "CREATE INDEX T_b ON T (b)", "CREATE INDEX T_some ON T (b, c DESC) WHERE b > 7",
                "CREATE UNIQUE INDEX T_none ON T (b) WHERE b > 70", "CREATE INDEX T_sum ON T (b + c, lower(a))",
                "CREATE INDEX T_case ON T (a COLLATE NOCASE, c)", "CREATE TABLE U (x PRIMARY KEY COLLATE NOCASE)",
                "CREATE TABLE V (x ANY, y INT UNIQUE ON CONFLICT REPLACE) STRICT", "CREATE INDEX V_x ON V (x)",
            ],
            rows: [
                ("T", rows), ("U", []),
                ("V", rows.map { BothWriters.Row(id: $0.id, values: [$0.values[3], .integer($0.id)]) }),
            ])
        (writers.vacuum, writers.encoding) = (vacuum, encoding)
        let schema = try DatabaseSchema(making: [writers.preamble] + writers.statements)
        #expect(
            Set(schema.unbuiltIndexes)
                == ["sqlite_autoindex_T_1", "T_some", "T_none", "T_sum", "T_case", "sqlite_autoindex_U_1"])
        try writers.compare(in: directory)
    }

    @Test func anIndexThatSQLiteFillsMustBeUniqueIfItIsDeclaredSo() throws {
        let schema = try DatabaseSchema(making: ["CREATE TABLE T (a TEXT COLLATE NOCASE UNIQUE)"])
        let builder = try DatabaseBuilder(path: directory.file("x.sqlite"), schema: schema)
        for (id, text) in [(1, "a"), (2, "A")] as [(Int64, String)] {
            try builder.table("T").beginRow()
            try builder.table("T").append(.string(text))
            try builder.table("T").endRow(id)
        }
        try builder.finish()
        let connection = try Connection(path: directory.file("x.sqlite"), access: .readWrite)
        let error = #expect(throws: SQLiteError.self) {
            for statement in schema.indexStatements { try connection.execute(statement) }
        }
        #expect(error?.isConstraint == true)
    }

    @Test func rowsFromAnArenaAreWrittenWithoutCopies() throws {
        let schema = try DatabaseSchema(making: ["CREATE TABLE T (k INTEGER PRIMARY KEY, v VARCHAR, b BLOB, r FLOAT)"]
        )
        let path = directory.file("x.sqlite")
        let builder = try DatabaseBuilder(path: path, schema: schema)
        let arena = Array("onetwothree".utf8)
        let cells: [ArenaValue] = [
            .integer(9), .text(ArenaRange(start: 3, count: 3)), .blob(ArenaRange(start: 0, count: 3)), .real(2),
        ]
        try builder.table("T").append(9, cells.span, in: arena.span)
        try builder.finish()
        let connection = try Connection(path: path, access: .readOnly)
        #expect(
            try connection.rows("SELECT *, typeof(r) FROM T") == [[9, "two", .blob(Array("one".utf8)), 2.0, "real"]])
    }
}
