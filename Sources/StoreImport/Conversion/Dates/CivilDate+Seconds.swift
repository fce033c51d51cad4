extension CivilDate {
    /// The day and time of seconds since 1970 on the same clock; nil before the year 0 and after 9999.
    init?(secondsSince1970 seconds: Int) {
        guard seconds >= -62_167_219_200, seconds < 253_402_300_800 else { return nil }
        // Years of 400 have 146 097 days, counted from a first of March.
        let shifted = seconds + 719_468 * 86_400
        let second = shifted % 86_400
        let (era, dayOfEra) = (shifted / 86_400 / 146_097, shifted / 86_400 % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        (hour, minute, self.second) = (second / 3600, second / 60 % 60, second % 60)
    }
}
