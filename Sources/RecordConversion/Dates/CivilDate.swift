import TextEncodings

/// A day and time of the proleptic Gregorian calendar, without a time zone.
struct CivilDate {
    /// A day by itself.
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
    /// 60 only where a leap second is written.
    var second = 0
    /// Of a second, from 0 to below 1.
    var fraction = 0.0

    /// 1970-01-01 to 2001-01-01, where Core Data's dates begin.
    static let secondsTo2001 = 978_307_200

    /// Whether such a day and time exist; 24:00:00 is the end of the day.
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

    /// Days from 1970-01-01.
    @inline(__always)
    var daysSince1970: Int {
        CalendarDay(year: year, month: month, day: day).daysSince2001 + CivilDate.secondsTo2001 / 86_400
    }

    /// Whole seconds from 1970-01-01T00:00:00 on the same clock.
    @inline(__always)
    var secondsSince1970: Int { daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second }
}
