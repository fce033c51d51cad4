import Testing
import TextEncodings

@Suite struct CalendarDayTests {
    @Test(arguments: [
        (0, 2001, 1, 1), (-1, 2000, 12, 31), (-307, 2000, 2, 29), (58, 2001, 2, 28), (-11_323, 1970, 1, 1),
        (-730_851, 0, 1, 1), (-730_852, -1, 12, 31), (2_921_574, 10_000, 1, 1),
    ])
    func daysAreCountedFromTheReferenceDate(days: Int, year: Int, month: Int, day: Int) {
        #expect(CalendarDay(daysSince2001: days) == CalendarDay(year: year, month: month, day: day))
        #expect(CalendarDay(year: year, month: month, day: day).daysSince2001 == days)
    }

    @Test(arguments: [
        (0, "2001-01-01T00:00:00"), (-1, "2000-12-31T23:59:59"), (-978_307_200, "1970-01-01T00:00:00"),
        (730_851 * -86_400 - 1, "-0001-12-31T23:59:59"), (252_423_993_600, "10000-01-01T00:00:00"),
    ])
    func textsHaveFourDigitsOfTheYearOrMore(seconds: Int, text: String) {
        var bytes: [UInt8] = []
        bytes.append(secondsSince2001: seconds)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
