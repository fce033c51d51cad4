extension [UInt8] {
    /// `2024-02-29T10:00:00`, in UTC: years have four digits or more, and those before the year 0 a sign.
    ///
    /// - Parameter seconds: since 2001-01-01T00:00:00Z.
    public mutating func append(secondsSince2001 seconds: Int, between separator: UInt8 = UInt8(ascii: "T")) {
        var (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        let date = CalendarDay(daysSince2001: days)
        if date.year < 0 { append(UInt8(ascii: "-")) }
        let year = date.year.magnitude
        if year > 9999 { append(contentsOf: String(year / 10_000).utf8) }
        append(pair: Int(year / 100 % 100))
        append(pair: Int(year % 100))
        append(UInt8(ascii: "-"))
        append(pair: date.month)
        append(UInt8(ascii: "-"))
        append(pair: date.day)
        append(separator)
        append(pair: rest / 3600)
        append(UInt8(ascii: ":"))
        append(pair: rest / 60 % 60)
        append(UInt8(ascii: ":"))
        append(pair: rest % 60)
    }

    private mutating func append(pair value: Int) {
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10))
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
    }
}
