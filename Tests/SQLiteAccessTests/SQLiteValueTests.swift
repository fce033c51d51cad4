import SQLiteAccess
import TestSupport
import Testing

@Suite struct SQLiteValueTests {
    @Test func accessorsAnswerForTheirStorageClassOnly() {
        #expect(SQLiteValue.string("é").string == "é")
        #expect(SQLiteValue.text([0x61, 0xff]).string == "a\u{fffd}")
        #expect(SQLiteValue.blob([0x61]).string == nil)
        #expect(SQLiteValue.integer(3).integer == 3)
        #expect(SQLiteValue.real(3).integer == nil)
        #expect(SQLiteValue.integer(3).real == 3)
        #expect(SQLiteValue.real(2.5).real == 2.5)
        #expect(SQLiteValue.string("2.5").real == nil)
        #expect(SQLiteValue.blob([1]).blob == [1])
        #expect(SQLiteValue.text([1]).blob == nil)
        #expect(SQLiteValue.null.isNull && !SQLiteValue.integer(0).isNull)
    }

    static let values: [SQLiteValue] =
        [
            .null, .integer(0), .integer(-1), .integer(.max), .integer(.min), .string(""), .string("it's"),
            .text([0x61, 0, 0x62]),
            .text([0xff, 0x27]), .string("\u{27}\u{301}"), .blob([]), .blob([0, 0xab, 0xff]),
        ]
        + [
            0, 1, -1, 0.1, -0.1, 0.3, 1.0 / 3, .pi, 1e15, 1e16, 123456789.125, 1e22, 1e23, 1e300, -1e-300,
            .leastNonzeroMagnitude,
            2.2250738585072014e-308, .greatestFiniteMagnitude, .infinity, -.infinity, 9007199254740994, 0.1 + 0.2,
            1234567890123456768, 4.35, 8.5e-5,
        ].map { .real($0) }

    @Test(arguments: values)
    func aLiteralEvaluatesToItsValue(_ value: SQLiteValue) throws {
        let connection = try Connection(path: ":memory:", access: .create)
        #expect(try connection.value("SELECT " + value.literal) == value, "\(value.literal)")
        let name =
            switch value {
            case .null: "null"
            case .integer: "integer"
            case .real: "real"
            case .text: "text"
            case .blob: "blob"
            }
        #expect(try connection.value("SELECT typeof(\(value.literal))").string == name)
    }

    @Test(.long) func anyRealHasAnExactLiteral() throws {
        let connection = try Connection(path: ":memory:", access: .create)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            let short = (value.significand * 1000).rounded() / 1000
            for value in [value, short] {
                let read = try connection.value("SELECT " + SQLiteValue.real(value).literal)
                #expect(read == .real(value), "\(value.bitPattern)")
            }
        }
    }

    @Test func commonRealsStayReadable() {
        #expect(SQLiteValue.real(0.1).literal == "0.1")
        #expect(SQLiteValue.real(-2.5).literal == "-2.5")
        #expect(SQLiteValue.real(100).literal == "100.0")
        #expect(SQLiteValue.real(700000000.5).literal == "700000000.5")
    }

    @Test func notANumberIsNull() {
        #expect(SQLiteValue.real(.nan).literal == "NULL")
    }
}
