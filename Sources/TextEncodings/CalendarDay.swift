/// A day of the Gregorian calendar, which is extended to dates before its introduction.
public struct CalendarDay: Equatable, Sendable {
    /// The year of the proleptic Gregorian calendar; 0 is the year before the year 1.
    public var year: Int
    /// The month, from 1 to 12.
    public var month: Int
    /// The day of the month, from 1.
    public var day: Int

    /// The number of days from 0000-03-01 to 2001-01-01. Years are counted from March, so that a leap day is the last
    /// day of its year, and 400 years are an era of 146 097 days.
    @usableFromInline static let firstDay = 730_791

    /// Makes a day from its parts, which are not checked: a day beyond the end of its month means a day in the next
    /// one.
    @inlinable
    public init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Makes the day that is a number of days after 2001-01-01, or before it if the number is negative.
    @inlinable
    public init(daysSince2001 days: Int) {
        let shifted = days + Self.firstDay
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    }

    /// The number of days since 2001-01-01; for a day beyond the end of its month, that of the day in the next one.
    @inlinable
    public var daysSince2001: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.firstDay
    }

    /// Returns the day of a time, and the second of that day.
    ///
    /// - Parameter seconds: the seconds since 2001-01-01T00:00:00Z.
    public static func withSecond(secondsSince2001 seconds: Int) -> (day: CalendarDay, second: Int) {
        var (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        if second < 0 {
            second += 86_400
            days -= 1
        }
        return (CalendarDay(daysSince2001: days), second)
    }
}
