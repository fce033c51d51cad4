// For the rounding functions, which Swift's floating-point types call and only this library links.
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Dates as XML property lists write them: `2001-01-01T00:00:00Z`, whole seconds, the Gregorian calendar for all years.
public enum PropertyListDate {
    /// Seconds from 1970-01-01 to 2001-01-01, where Core Data's dates begin.
    private static let referenceDay = 11_323
    private static let secondsOfDay = 86_400

    /// Seconds since 2001-01-01T00:00:00Z; nil where the text is no such date.
    public static func seconds(of text: some StringProtocol) -> Double? {
        var rest = Array(text.utf8)[...]
        while let first = rest.first, first <= 0x20 { rest.removeFirst() }
        while let last = rest.last, last <= 0x20 { rest.removeLast() }
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative {
            rest.removeFirst()
        }
        guard let year = number(&rest, digits: 4...9, before: "-"),
            let month = number(&rest, digits: 1...2, before: "-"),
            let day = number(&rest, digits: 1...2, before: "T"), let hour = number(&rest, digits: 1...2, before: ":"),
            let minute = number(&rest, digits: 1...2, before: ":"),
            let second = number(&rest, digits: 1...2, before: "Z"),
            rest.isEmpty, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = days(year: isNegative ? -year : year, month: month, day: day) - referenceDay
        return Double(days * secondsOfDay + hour * 3600 + minute * 60 + second)
    }

    /// The text of a moment, rounded down to whole seconds; nil beyond the years that the text can hold.
    public static func text(of seconds: Double) -> String? {
        // 10^14 seconds are three million years: every text of up to nine digits of a year is far inside `Int`.
        guard seconds.isFinite, seconds.magnitude < 1e14 else { return nil }
        let whole = Int(floor(seconds))
        var day = whole / secondsOfDay
        var rest = whole % secondsOfDay
        if rest < 0 {
            rest += secondsOfDay
            day -= 1
        }
        let (year, month, dayOfMonth) = date(of: day + referenceDay)
        let sign = year < 0 ? "-" : ""
        return sign + padded(year.magnitude, 4) + "-" + padded(month.magnitude, 2) + "-"
            + padded(dayOfMonth.magnitude, 2) + "T" + padded(UInt(rest / 3600), 2) + ":"
            + padded(UInt(rest / 60 % 60), 2) + ":" + padded(UInt(rest % 60), 2) + "Z"
    }

    /// Days since 1970-01-01. Years are counted from March, so that the leap day comes last.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(of day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func number(
        _ rest: inout ArraySlice<UInt8>, digits: ClosedRange<Int>, before separator: Unicode.Scalar
    ) -> Int? {
        let number = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard digits.contains(number.count), rest.dropFirst(number.count).first == UInt8(ascii: separator) else {
            return nil
        }
        rest = rest.dropFirst(number.count + 1)
        return number.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func padded(_ number: UInt, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
