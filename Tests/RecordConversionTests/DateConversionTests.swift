import Foundation
import TestSupport
import Testing

@testable import RecordConversion

@Suite struct DateConversionTests {
    private func convert(
        _ text: String, _ form: DateConversion.Form = .iso8601, zone: String = "UTC"
    ) throws -> Converting {
        var conversion = ValueConversion(.date)
        conversion.date = DateConversion(form, zone: try #require(ZoneOffset(zone)))
        return try Converting(text, conversion)
    }

    @Test(arguments: [
        ("2001-01-01T00:00:00Z", 0.0), ("2001-01-01", 0), ("2001-01-01 00:00:01", 1), ("2001-01-01T00:01Z", 60),
        ("2001-01-01T02:00:00+02:00", 0), ("2000-12-31T19:00:00-0500", 0), ("20010101T000000Z", 0), ("20010102", 86400),
        ("2001-01-01T00:00:00.250Z", 0.25), ("2001-01-01T00:00:00,5", 0.5), ("2001-01", 0), ("2001", 0),
        ("2001/01/01 00:00:00", 0), ("2001/1/2", 86400), ("2000-12-31T24:00:00Z", 0), ("2000-02-29", -26_524_800),
        ("1970-01-01T00:00:00Z", -978_307_200), ("1969-12-31T23:59:59Z", -978_307_201), ("0001-01-01", -63_113_904_000),
        ("9999-12-31T23:59:59Z", 252_423_993_599), ("2016-12-31T23:59:60Z", 504_921_600), ("2001-01-01T00:00:00z", 0),
        ("2001-01-01T09:00:00+09", 0), ("2001-01-01 00:00:00 +00:00", 0), ("2001-01-01t00:00:00", 0),
        ("2001-01-01T00Z", 0), (" 2001-01-01 ", 0),
    ])
    func iso8601InItsUsualForms(text: String, seconds: Double) throws {
        #expect(try convert(text) == .real(seconds))
    }

    @Test(arguments: [
        ("2001-13-01", ConversionFailure.Reason.noSuchDate), ("2001-02-29", .noSuchDate), ("2001-04-31", .noSuchDate),
        ("2001-01-00", .noSuchDate), ("2001-01-01T24:00:01Z", .noSuchDate), ("2001-01-01T12:60:00Z", .noSuchDate),
        ("2001-01-01T12:00:61Z", .noSuchDate), ("2001-01-01T12:30:60Z", .noSuchDate), ("1900-02-29", .noSuchDate),
        ("2001-01-01T00:00:00+19:00", .noSuchDate), ("01.02.2001", .notADate), ("2001-1-1", .notADate),
        ("x", .notADate),
        ("2001-01-01T", .notADate), ("2001-01-01T00:00:00Zx", .notADate), ("2001-01-01x00:00:00", .notADate),
        ("20010", .notADate), ("2001-01-01T00:00:00.Z", .notADate), ("2001-01/01", .notADate),
        ("-001-01-01", .notADate),
    ])
    func whatIsNoDateOrDoesNotExistIsToldApart(text: String, reason: ConversionFailure.Reason) throws {
        #expect(try convert(text) == .failure(reason))
    }

    @Test func everyDayOfFourCenturiesIsTheDayThatFoundationCounts() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        var date = try #require(calendar.date(from: DateComponents(year: 1700, month: 1, day: 1)))
        for _ in 0..<1500 {
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            let text =
                "\(pad(parts.year, 4))-\(pad(parts.month, 2))-\(pad(parts.day, 2))T"
                + "\(pad(parts.hour, 2)):\(pad(parts.minute, 2)):\(pad(parts.second, 2))Z"
            #expect(try convert(text) == .real(date.timeIntervalSinceReferenceDate))
            date += 97 * 86_400 + 4_321
        }
    }

    private func pad(_ number: Int?, _ width: Int) -> String {
        let digits = String(number ?? 0)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    @Test(arguments: [
        ("yyyy-MM-dd'T'HH:mm:ssZ", "2001-01-02T03:04:05+0000", 97_445.0),
        ("dd.MM.yyyy HH:mm", "2.1.2001 3:04", 97_440), ("d. MMMM yyyy", "2. January 2001", 86_400),
        ("EEE, dd MMM yyyy HH:mm:ss Z", "Tue, 02 Jan 2001 00:00:00 GMT", 86_400),
        ("EEEE d MMM yy h:mm a", "Tuesday 2 jan 01 12:30 AM", 88_200), ("MM/dd/yy", "01/02/01", 86_400),
        ("yyyyMMddHHmmssSSS", "20010102030405250", 97_445.25),
        ("h 'o''clock' a, yyyy-MM-dd", "3 o'clock pm, 2001-01-01", 54_000),
        ("yyyy-MM-dd HH:mm:ss.SSSXXX", "2001-01-01 01:00:00.5+01:00", 0.5), ("yyyy.D", "2001.60", 5_097_600),
        ("%Y-%m-%d %H:%M:%S", "2001-01-02 03:04:05", 97_445), ("%d/%b/%Y:%T %z", "01/Jan/2001:00:00:00 +0000", 0),
        ("%e %B %y, %I:%M%p", " 2 January 01, 01:05PM", 133_500), ("%s.%f", "978307200.5", 0.5),
        ("%F %R", "2001-01-01 10:00", 36_000),
        ("%d.%m.%y 100%%", "01.01.01 100%", 0), ("%j/%Y", "366/2000", -86_400),
    ])
    func formatsOfUnicodeAndOfC(format: String, text: String, seconds: Double) throws {
        #expect(try convert(text, .pattern(DatePattern(format))) == .real(seconds))
    }

    @Test(arguments: [
        ("dd.MM.yyyy", "31.02.2001", ConversionFailure.Reason.noSuchDate), ("dd.MM.yyyy", "1.1", .notADate),
        ("dd MMM yyyy", "01 Foo 2001", .notADate), ("hh:mm a", "13:00 PM", .noSuchDate),
        ("yyyyMMdd", "2001011", .notADate), ("dd.MM.yyyy", "31.12.99", .notADate), ("%d.%m.%Y", "31.12.99", .notADate),
        ("dd.MM.yy", "31.12.1999", .notADate), ("dd.MM.yy", "31.12.9", .notADate),
        ("yyyy D", "2001 366", .noSuchDate), ("yyyy", "12345", .notADate), ("%s", "x", .notADate),
    ])
    func aTextThatDoesNotFitItsFormatIsRefused(
        format: String, text: String, reason: ConversionFailure.Reason
    ) throws {
        #expect(try convert(text, .pattern(DatePattern(format))) == .failure(reason))
    }

    /// As ICU and Core Foundation have it: the hundred years that begin eighty years before the day.
    @Test(arguments: [
        ("dd.MM.yy", "31.12.99", 1999), ("dd.MM.yy", "22.11.46", 1946), ("dd.MM.yy", "21.11.46", 2046),
        ("dd.MM.yy", "01.01.47", 1947), ("dd.MM.yy", "01.01.26", 2026), ("yy.D", "45.1", 2045), ("d.M.y", "1.1.99", 99),
        ("%d.%m.%y", "01.01.69", 1969), ("%d.%m.%y", "01.01.68", 2068),
    ])
    func yearsOfTwoDigitsLieInTheHundredYearsAroundNow(_ form: String, _ text: String, year: Int) throws {
        // 2026-11-22
        let now = Double(CivilDate(year: 2026, month: 11, day: 22).secondsSince1970 - CivilDate.secondsTo2001)
        let conversion = DateConversion(.pattern(try DatePattern(form, now: now)))
        let seconds = try conversion.seconds(Array(text.utf8).span)
        #expect(CivilDate(secondsSince1970: Int(seconds) + CivilDate.secondsTo2001)?.year == year)
    }

    @Test(arguments: ["", "yyyy-QQ", "'open", "%Y-%", "%Q"])
    func aFormatThatCannotBeReadSaysSo(format: String) {
        #expect(throws: DatePatternError.self) { try DatePattern(format) }
    }

    @Test func namesOfMonthsMayBeThoseOfAnotherLanguage() throws {
        let french = try DatePattern("d MMMM yyyy", locale: "fr_FR")
        #expect(try convert("14 juillet 2001", .pattern(french)) == .real(16_761_600))
        let german = try DatePattern("d. MMM yyyy", locale: "de")
        #expect(try convert("3. Mai 2001", .pattern(german)) == .real(10_540_800))
        #expect(throws: DatePatternError.self) { try DatePattern("MMM", locale: "xx-none") }
    }

    @Test(arguments: [
        ("2024-01-15 12:00:00", 11), ("2024-07-15 12:00:00", 10), ("2024-03-31 01:59:59", 0),
        ("2024-03-31 03:00:00", 1),
        // Skipped by the clock: one hour behind the last time before; twice on the clock: the earlier.
        ("2024-03-31 02:30:00", 1), ("2024-10-27 02:30:00", 0), ("2024-10-27 03:00:00", 2), ("1995-01-01 01:00:00", 0),
    ])
    func aNamedZoneHasSummerTimeAndItsChangesAreExact(text: String, hour: Int) throws {
        guard case .real(let seconds) = try convert(text, zone: "Europe/Berlin") else {
            Issue.record("no date")
            return
        }
        let hours = Int((seconds / 3600).rounded(.down))
        #expect((hours % 24 + 24) % 24 == hour)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "Europe/Berlin")
        formatter.dateFormat = text.count > 10 ? "yyyy-MM-dd HH:mm:ss" : "yyyy-MM-dd"
        if text != "2024-03-31 02:30:00" {
            #expect(formatter.string(from: Date(timeIntervalSinceReferenceDate: seconds)) == text)
        }
    }

    @Test(arguments: [("+09:00", 9), ("-0330", -3.5), ("+2", 2), ("Asia/Tokyo", 9), ("Z", 0), ("Asia/Kathmandu", 5.75)])
    func aZoneIsAnOffsetOrAName(zone: String, hours: Double) throws {
        #expect(try convert("2001-01-01", zone: zone) == .real(-hours * 3600))
        #expect(try convert("2001-01-01T00:00:00Z", zone: zone) == .real(0))
    }

    @Test(arguments: ["Nowhere/City", "", "+25:00", "+9:5", "09:00"])
    func anUnknownZoneIsNone(zone: String) {
        #expect(ZoneOffset(zone) == nil)
    }

    @Test(arguments: [
        (DateConversion.Form.secondsSince1970, "978307200", 0.0), (.secondsSince1970, "978307200.125", 0.125),
        (.millisecondsSince1970, "978307200001", 0.001), (.microsecondsSince1970, "978307200000001", 0.000001),
        (.secondsSince2001, "-1.5", -1.5), (.millisecondsSince2001, "1500", 1.5), (.spreadsheetDays, "36892", 0),
        (.spreadsheetDays, "36892.25", 21_600), (.julianDays, "2451910.5", 0),
        // What SQLite says of 2024-01-02 03:04:05.678.
        (.julianDays, "2460311.627843495", 725_857_445.678),
    ])
    func numbersCountFromWhereTheyAreSaidTo(form: DateConversion.Form, text: String, seconds: Double) throws {
        #expect(try convert(text, form) == .real(seconds))
    }

    @Test(arguments: [DateConversion.Form.secondsSince1970, .spreadsheetDays, .julianDays])
    func numbersBeyondAllDatesAreRefused(form: DateConversion.Form) throws {
        #expect(try convert("x", form) == .failure(.notADate))
        #expect(try convert("1e400", form) == .failure(.numberTooLarge))
        #expect(try convert("1e300", .spreadsheetDays) == .failure(.noSuchDate))
    }

    @Test func aFractionIsNotLostToTheSizeOfTheNumberBeforeIt() throws {
        #expect(try convert("2024-06-01T00:00:00.123456Z") == .real(738_892_800.123456))
    }

    @Test(arguments: 0..<200)
    func garbageIsAFailureAndNeverACrash(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let text = String(decoding: random.bytes(seed % 30, from: Array("0123456789-:/TZ.+ ,".utf8)), as: UTF8.self)
        let formats = ["yyyy-MM-dd", "yyyyMMddHHmmssSSS", "dd MMM yy h:mm a Z", "%s %f", "%e%j%z"]
        let patterns = try formats.map { DateConversion.Form.pattern(try DatePattern($0)) }
        for form in patterns + [.iso8601, .spreadsheetDays] {
            switch try convert(text, form) {
            case .real(let seconds): #expect(seconds.isFinite)
            case .null: #expect(text.allSatisfy { $0 == " " })
            case .failure: break
            default: Issue.record("neither date nor failure: \(text)")
            }
        }
    }
}
