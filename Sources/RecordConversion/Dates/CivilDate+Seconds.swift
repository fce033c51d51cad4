import TextEncodings

extension CivilDate {
    /// Creates a date and time from seconds since 1970 on the same clock; nil before the year 0 and after 9999.
    init?(secondsSince1970 seconds: Int) {
        guard seconds >= -62_167_219_200, seconds < 253_402_300_800 else { return nil }
        let (date, rest) = CalendarDay.withSecond(secondsSince2001: seconds - CivilDate.secondsTo2001)
        (year, month, day) = (date.year, date.month, date.day)
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    }
}
