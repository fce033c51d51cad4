import TextEncodings

/// A date in a spreadsheet: the number of days since the beginning of 1900 or 1904, with the time as a fraction.
struct SerialDate {
    /// Whether days are counted from 1904-01-01.
    let isFrom1904: Bool

    /// The day after 9999-12-31, the last day that spreadsheets support.
    private static let end = 2_958_466.0
    private static let millisecondsPerDay = 86_400_000

    /// Returns the date in ISO 8601 format, without a time zone; nil if there is no such date, as for negative numbers.
    ///
    /// Times are rounded to milliseconds, which is the precision of a sum of days and a fraction.
    func text(_ serial: Double, _ form: CellForm) -> String? {
        guard serial >= 0, serial < Self.end else { return nil }
        var days = Int(serial.rounded(.down))
        var milliseconds = Int(((serial - Double(days)) * Double(Self.millisecondsPerDay)).rounded())
        if milliseconds == Self.millisecondsPerDay { (days, milliseconds) = (days + 1, 0) }
        if form == .time && days == 0 { return Self.time(milliseconds) }
        guard let day = day(days) else { return nil }
        return form == .day && milliseconds == 0 ? day : day + "T" + Self.time(milliseconds)
    }

    private func day(_ number: Int) -> String? {
        let first: CalendarDay
        if isFrom1904 {
            first = CalendarDay(year: 1904, month: 1, day: 1)
        } else {
            // Spreadsheets treat 1900 as a leap year, with the number 60 for February 29.
            if number == 0 { return nil }
            if number == 60 { return "1900-02-29" }
            first = CalendarDay(year: 1899, month: 12, day: number < 60 ? 31 : 30)
        }
        let day = CalendarDay(daysSince2001: first.daysSince2001 + number)
        return Self.padded(day.year, 4) + "-" + Self.padded(day.month, 2) + "-" + Self.padded(day.day, 2)
    }

    private static func time(_ milliseconds: Int) -> String {
        let seconds = milliseconds / 1000
        let text = padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2)
        return milliseconds % 1000 == 0 ? text : text + "." + padded(milliseconds % 1000, 3)
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
