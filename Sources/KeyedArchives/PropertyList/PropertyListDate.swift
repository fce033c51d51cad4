// For rounding functions that Swift's floating-point types call and only this library links.
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import TextEncodings

/// Dates in the format of XML property lists: `2001-01-01T00:00:00Z`, whole seconds, the Gregorian calendar for all
/// years.
public enum PropertyListDate {
    /// Returns the seconds since 2001-01-01T00:00:00Z; nil if the text is not such a date.
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
        let days = CalendarDay(year: isNegative ? -year : year, month: month, day: day).daysSince2001
        return Double(days * 86_400 + hour * 3600 + minute * 60 + second)
    }

    /// Returns the text of a time, rounded down to whole seconds; nil beyond the range of years that the text can have.
    public static func text(of seconds: Double) -> String? {
        // 10^14 seconds are three million years: texts with up to nine digits of a year are far within the range of
        // `Int`.
        guard seconds.isFinite, seconds.magnitude < 1e14 else { return nil }
        var text: [UInt8] = []
        text.append(secondsSince2001: Int(floor(seconds)))
        return String(decoding: text, as: UTF8.self) + "Z"
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
}
