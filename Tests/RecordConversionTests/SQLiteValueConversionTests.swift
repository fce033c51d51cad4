import RecordConversion
import RecordSources
import SQLiteAccess
import TestSupport
import Testing

/// Values of SQLite sources have types of their own.
@Suite struct SQLiteValueConversionTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("values.db")
        _ = try Connection(path: path, access: .create)
    }

    @Test func numbersConvertWithoutBecomingTexts() throws {
        func convert(_ expression: String, _ target: ValueConversion) throws -> Converting {
            var source = try SQLiteSource(path: path, selection: .query("SELECT " + expression))
            return try Converting(&source, target)
        }
        #expect(try convert("32768", .integer(-32768...32767)) == .failure(.numberTooLarge))
        #expect(try convert("9223372036854775807", ValueConversion(.integer)) == .integer(.max))
        #expect(try convert("3.0", ValueConversion(.integer)) == .integer(3))
        #expect(try convert("3.5", ValueConversion(.integer)) == .failure(.hasFraction))
        #expect(try convert("1e300", ValueConversion(.integer)) == .failure(.numberTooLarge))
        #expect(try convert("1", ValueConversion(.boolean)) == .integer(1))
        #expect(try convert("2", ValueConversion(.boolean)) == .failure(.notABoolean))
        #expect(try convert("0.1", ValueConversion(.decimal)) == .text("0.1"))
        #expect(try convert("7", ValueConversion(.string)) == .text("7"))
        #expect(try convert("x'0102'", ValueConversion(.binary)) == .blob([1, 2]))
        #expect(try convert("x'0102'", ValueConversion(.string)) == .failure(.notText))
        #expect(try convert("x'0102'", ValueConversion(.uuid)) == .failure(.notAUUID))
        #expect(try convert("randomblob(16) IS NOT NULL", ValueConversion(.double)) == .real(1))
        var since1970 = ValueConversion(.date)
        since1970.date = DateConversion(.secondsSince1970)
        #expect(try convert("978307201", since1970) == .real(1))
        #expect(try convert("978307200.5", since1970) == .real(0.5))
        #expect(try convert("'2001-01-01'", ValueConversion(.date)) == .real(0))
        #expect(try convert("20010101", ValueConversion(.date)) == .failure(.notADate))
        #expect(try convert("1e39", ValueConversion(.float)) == .failure(.numberTooLarge))
        #expect(try convert("NULL", ValueConversion(.integer)) == .null)
    }
}
