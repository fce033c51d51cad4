/// Dates as text, in UTC: `2001-01-01 00:00:00 +0000`, as `NSDate` describes itself.
enum DateText {
    /// The text, without fractions of seconds; nil some thousand years away, where years have five digits.
    static func text(_ seconds: Double) -> String? {
        guard seconds.magnitude < 2.5e11, let whole = Int64(exactly: seconds.rounded(.down)) else { return nil }
        let dayNumber = whole >= 0 ? whole / 86_400 : -((86_399 - whole) / 86_400)
        let (year, month, day) = civil(fromDays: dayNumber)
        let time = whole - dayNumber * 86_400
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + " " + padded(time / 3600, 2) + ":"
            + padded(time / 60 % 60, 2) + ":" + padded(time % 60, 2) + " +0000"
    }

    /// Reads `2024-02-29`, `2024-02-29T13:05:09.25Z` and `2024-02-29 13:05:09 +0100`; nil for everything else. Where
    /// no zone is given it is UTC.
    static func seconds(_ text: String) -> Double? {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2), scanner.take("-"),
            let day = scanner.number(2)
        else { return nil }
        let days = days(fromCivil: year, month, day)
        guard civil(fromDays: days) == (year, month, day) else { return nil }
        let date = Double(days * 86_400)
        if scanner.isAtEnd { return date }
        guard scanner.take("T") || scanner.take(" "), let time = time(&scanner), scanner.isAtEnd else { return nil }
        return date + time
    }

    /// Seconds since midnight in UTC: `13:05:09.25+01:00`.
    private static func time(_ scanner: inout DigitScanner) -> Double? {
        guard let hour = scanner.number(2), scanner.take(":"), let minute = scanner.number(2) else { return nil }
        var seconds = Double(hour * 3600 + minute * 60)
        guard hour < 24, minute < 60 else { return nil }
        if scanner.take(":") {
            guard let second = scanner.number(2), second < 60 else { return nil }
            seconds += Double(second)
            if scanner.take(".") {
                guard let fraction = scanner.fraction() else { return nil }
                seconds += fraction
            }
        }
        if scanner.isAtEnd || scanner.take("Z") { return seconds }
        _ = scanner.take(" ")
        let isEast = scanner.take("+")
        guard isEast || scanner.take("-"), let hours = scanner.number(2) else { return nil }
        _ = scanner.take(":")
        guard let minutes = scanner.number(2) else { return nil }
        let offset = Double(hours * 3600 + minutes * 60)
        return seconds + (isEast ? -offset : offset)
    }

    /// Days since 2001-01-01, by the calendar's cycle of 400 years; the year begins in March, so that the leap day is
    /// its last.
    private static func days(fromCivil year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        // 730791 days lie between 0000-03-01 and 2001-01-01.
        return era * 146_097 + dayOfEra - 730_791
    }

    private static func civil(fromDays days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 730_791
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
        return (number < 0 ? "-" : "") + zeros + digits
    }
}
