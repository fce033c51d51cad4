import RecordConversion
import Testing

/// Dates as an export writes them for an import to read.
@Suite struct DateWritingTests {
    private func text(_ seconds: Double, _ form: DateConversion.Form, zone: String = "UTC") throws -> String? {
        let conversion = DateConversion(form, zone: try #require(ZoneOffset(zone)))
        return conversion.text(of: seconds).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        arguments: [
            (0.0, "2001-01-01T00:00:00Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
            (-63_145_526_400, "0000-01-01T00:00:00Z"),
            (252_423_993_599, "9999-12-31T23:59:59Z"), (252_423_993_600, nil), (1e300, nil), (1e-20, nil),
        ] as [(Double, String?)])
    func iso8601IsUTCExactAndHasFourDigitsOfTheYear(seconds: Double, expected: String?) throws {
        #expect(try text(seconds, .iso8601, zone: "Europe/Berlin") == expected)
    }

    @Test(
        arguments: [
            ("yyyy-MM-dd'T'HH:mm:ssZ", 97_445.0, "2001-01-02T04:04:05+0100"),
            ("dd.MM.yyyy HH:mm", 0, "01.01.2001 01:00"),
            ("HH:mm:ss.SSS", 0, "01:00:00.000"), ("HH:mm:ss.SSS", 0.25, "01:00:00.25"), ("%s", -978_307_205, "-5"),
            ("EEE, d MMM yy h a", -86_400, "Sun, 31 Dec 00 01 AM"), ("D/yyyy", 31_536_000 - 86_400, "365/2001"),
            ("MM/dd/yyyy", -63_145_526_400, "01/01/0000"), ("yyyy", 252_423_993_600, nil), ("yyyy", 1e13, nil),
        ] as [(String, Double, String?)])
    func aPatternIsWrittenOnTheClockOfItsZone(format: String, seconds: Double, expected: String?) throws {
        #expect(try text(seconds, .pattern(DatePattern(format)), zone: "Europe/Berlin") == expected)
    }

    @Test(arguments: [("yyyy-MM-dd", 86_400.0, true), ("yyyy-MM-dd", 86_401, false), ("HH:mm", 0, false)])
    func onlyWhatIsReadAsTheVerySameDateIsExact(format: String, seconds: Double, isExact: Bool) throws {
        let conversion = DateConversion(.pattern(try DatePattern(format)))
        #expect((conversion.exactText(of: seconds) != nil) == isExact)
    }
}
