import TextEncodings

/// Dates as text, in UTC: `2001-01-01 00:00:00 +0000`, the description of `NSDate`.
enum DateText {
    /// Returns the text, without fractions of seconds; nil for years with five or more digits.
    static func text(_ seconds: Double) -> String? {
        guard seconds.magnitude < 2.5e11, let whole = Int(exactly: seconds.rounded(.down)) else { return nil }
        var text: [UInt8] = []
        text.append(secondsSince2001: whole, between: UInt8(ascii: " "))
        return String(decoding: text, as: UTF8.self) + " +0000"
    }

    /// Parses `2024-02-29`, `2024-02-29T13:05:09.25Z` and `2024-02-29 13:05:09 +0100`; nil for everything else. The
    /// default zone is UTC.
    static func seconds(_ text: String) -> Double? {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2), scanner.take("-"),
            let day = scanner.number(2)
        else { return nil }
        let civil = CalendarDay(year: year, month: month, day: day)
        let days = civil.daysSince2001
        guard CalendarDay(daysSince2001: days) == civil else { return nil }
        let date = Double(days * 86_400)
        if scanner.isAtEnd { return date }
        guard scanner.take("T") || scanner.take(" "), let time = time(&scanner), scanner.isAtEnd else { return nil }
        return date + time
    }

    /// Parses a time such as `13:05:09.25+01:00`, and returns the seconds since midnight in UTC.
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
}
