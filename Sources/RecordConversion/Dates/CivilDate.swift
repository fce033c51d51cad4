import TextEncodings

/// A date and time in the proleptic Gregorian calendar, without a time zone.
struct CivilDate {
    /// A date without a time.
    struct Day: Equatable, Comparable, Sendable {
        var year: Int
        var month: Int
        var day: Int

        static func < (left: Day, right: Day) -> Bool {
            (left.year, left.month, left.day) < (right.year, right.month, right.day)
        }
    }

    var year = 1970
    var month = 1
    var day = 1
    var hour = 0
    var minute = 0
    /// The second; 60 only if a leap second is given.
    var second = 0
    /// The fraction of the second, from 0 to below 1.
    var fraction = 0.0

    /// The seconds from 1970-01-01 to 2001-01-01, the reference date of Core Data.
    static let secondsTo2001 = 978_307_200

    /// Whether the date and time exist; 24:00:00 is the end of the day.
    var exists: Bool {
        guard 1...12 ~= month, 1...CivilDate.days(in: month, of: year) ~= day, 0...9999 ~= year else { return false }
        if hour == 24 { return minute == 0 && second == 0 && fraction == 0 }
        return 0...23 ~= hour && 0...59 ~= minute && (0...59 ~= second || (second == 60 && minute == 59))
    }

    static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The days since 1970-01-01.
    @inline(__always)
    var daysSince1970: Int {
        CalendarDay(year: year, month: month, day: day).daysSince2001 + CivilDate.secondsTo2001 / 86_400
    }

    /// The whole seconds since 1970-01-01T00:00:00 on the same clock.
    @inline(__always)
    var secondsSince1970: Int { daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second }
}
