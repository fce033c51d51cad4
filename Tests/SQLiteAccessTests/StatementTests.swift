import SQLiteAccess
import TestSupport
import Testing

@Suite struct StatementTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", access: .create)
        try connection.execute("CREATE TABLE T(i INTEGER, r REAL, t TEXT, b BLOB)")
    }

    @Test(arguments: [
        SQLiteValue.null, .integer(.min), .integer(.max), .integer(0), .real(0.1), .real(-.infinity),
        .real(.leastNonzeroMagnitude), .text([]), .string("naïve \u{1F600}"), .text([0x61, 0, 0x62]),
        .text([0xff, 0xfe]),
        .blob([]), .blob([0, 1, 2, 0]),
    ])
    func everyValueComesBackAsItWasBound(_ value: SQLiteValue) throws {
        let statement = try connection.prepare("SELECT ?1")
        try statement.bind(value, at: 1)
        #expect(try statement.step())
        #expect(statement.value(0) == value)
        #expect(statement.storageClass(0) == value.storageClass)
        #expect(try !statement.step())
    }

    @Test func boundBytesMayBeBorrowed() throws {
        let insert = try connection.prepare("INSERT INTO T(t, b) VALUES (?1, ?2)", persistent: true)
        for text in ["", "a\0b", "long " + String(repeating: "x", count: 5000)] {
            try Array(text.utf8).withUnsafeBytes { bytes in
                try insert.bindText(bytes, at: 1)
                try insert.bindBlob(bytes, at: 2)
                try insert.run()
            }
        }
        #expect(try connection.value("SELECT count(*) FROM T WHERE CAST(t AS BLOB) = b AND typeof(t) = 'text'") == 3)
        #expect(try connection.value("SELECT sum(length(b)) FROM T") == 5008)
    }

    @Test func copiedBytesMayChangeAfterBinding() throws {
        let statement = try connection.prepare("SELECT ?1, ?2")
        var bytes: [UInt8] = [65, 66]
        try statement.bindText(copying: bytes, at: 1)
        try statement.bindBlob(copying: bytes.span, at: 2)
        bytes[0] = 0
        #expect(try statement.step())
        #expect(statement.string(0) == "AB")
        #expect(statement.value(1) == .blob([65, 66]))
    }

    @Test(arguments: [true, false])
    func columnsPassFromStatementToStatementAsTheyAre(_ borrowing: Bool) throws {
        let source = try connection.prepare("SELECT 1, 2.0, 'x' || char(0), X'00', NULL")
        let target = try connection.prepare("SELECT ?1, ?2, ?3, ?4, ?5")
        #expect(try source.step())
        for column in Int32(0)..<5 {
            if borrowing {
                try target.bindColumn(borrowing: column, of: source, at: column + 1)
            } else {
                try target.bindColumn(column, of: source, at: column + 1)
            }
        }
        #expect(try target.step())
        let values = (Int32(0)..<5).map { target.value($0) }
        #expect(values == [.integer(1), .real(2), .text([120, 0]), .blob([0]), .null])
    }

    @Test func textOfAUTF16DatabaseReadsAsUTF8AndItsBlobsAsTheyAre() throws {
        let connection = try Connection(path: ":memory:", access: .create)
        try connection.execute("PRAGMA encoding = 'UTF-16le'; CREATE TABLE T(t, b)")
        try connection.execute("INSERT INTO T VALUES (?, ?)", [.string("é\u{1F600}"), .blob([0x41, 0, 0xff])])
        let row: [SQLiteValue] = [.string("é\u{1F600}"), .blob([0x41, 0, 0xff]), .string("é\u{1F600}")]
        #expect(try connection.rows("SELECT t, b, t FROM T") == [row])
    }

    @Test func bytesOfARowAreBorrowedWithExactCounts() throws {
        let statement = try connection.prepare("SELECT 'a' || char(0) || 'b', X'0000', NULL, 12, ''")
        #expect(try statement.step())
        #expect(statement.withSpan(0) { $0.count } == 3)
        #expect(statement.string(0) == "a\0b")
        #expect(statement.withBytes(1) { Array($0) } == [0, 0])
        #expect(statement.withBytes(2) { $0.count } == 0)
        #expect(statement.string(3) == "12")
        #expect(statement.withSpan(4) { $0.isEmpty })
        #expect(statement.isNull(2) && !statement.isNull(4))
    }

    @Test func columnsOutsideTheRowReadAsNull() throws {
        let statement = try connection.prepare("SELECT 1")
        #expect(try statement.step())
        for column in [Int32(-1), 1, .max] {
            #expect(statement.storageClass(column) == .null)
            #expect(statement.value(column) == .null)
            #expect(statement.integer(column) == 0)
            #expect(statement.columnName(column) == "")
        }
    }

    @Test func parametersOutsideTheStatementAreAnError() throws {
        let statement = try connection.prepare("SELECT ?1, :name")
        #expect(statement.parameterCount == 2)
        #expect(statement.parameterIndex(":name") == 2)
        #expect(statement.parameterIndex(":other") == nil)
        #expect(throws: SQLiteError.self) { try statement.bindInteger(1, at: 3) }
        #expect(throws: SQLiteError.self) { try statement.bindInteger(1, at: 0) }
        #expect(throws: SQLiteError.self) { try statement.bind([.null]) }
        #expect(throws: SQLiteError.self) { try statement.bind([.null, .null, .null]) }
    }

    @Test func bindingWhileAStatementRunsIsAnError() throws {
        let statement = try connection.prepare("SELECT ?1")
        #expect(try statement.step())
        #expect(throws: SQLiteError.self) { try statement.bindInteger(1, at: 1) }
        statement.reset()
        try statement.bindInteger(7, at: 1)
        #expect(try statement.step())
        #expect(statement.integer(0) == 7)
    }

    @Test func bindingsStayOverAResetUntilTheyAreCleared() throws {
        let statement = try connection.prepare("SELECT ?1")
        try statement.bindReal(2.5, at: 1)
        try statement.run()
        #expect(try statement.step())
        #expect(statement.real(0) == 2.5)
        statement.reset()
        statement.clearBindings()
        #expect(try statement.step())
        #expect(statement.isNull(0))
    }

    @Test func aFailedStatementCanRunAgain() throws {
        try connection.execute("CREATE TABLE U(k INTEGER PRIMARY KEY)")
        let insert = try connection.prepare("INSERT INTO U VALUES (?1)")
        try insert.bindInteger(1, at: 1)
        try insert.run()
        let error = #expect(throws: SQLiteError.self) { try insert.run() }
        #expect(error?.isConstraint == true)
        #expect(error?.code == 1555)
        #expect(error?.sql == "INSERT INTO U VALUES (?1)")
        try insert.bindInteger(2, at: 1)
        try insert.run()
        #expect(try connection.value("SELECT count(*) FROM U") == 2)
    }

    @Test func aStatementTellsWhatItIs() throws {
        let statement = try connection.prepare("SELECT i AS first, ?1 FROM T -- end")
        try statement.bindText("it's", at: 1)
        #expect(statement.columnCount == 2)
        #expect(statement.columnName(0) == "first")
        #expect(statement.isReadOnly)
        #expect(statement.expandedSQL == "SELECT i AS first, 'it''s' FROM T -- end")
        #expect(try !connection.prepare("DELETE FROM T").isReadOnly)
    }

    @Test func aStatementKeepsItsConnectionOpen() throws {
        func statement() throws -> Statement {
            try Connection(path: ":memory:", access: .create).prepare("SELECT 5")
        }
        let alone = try statement()
        #expect(try alone.step())
        #expect(alone.integer(0) == 5)
    }
}
