extension [UInt8] {
    /// Appends a date such as `2024-02-29T10:00:00`, in UTC: years have at least four digits, and a sign before the
    /// year 0.
    ///
    /// - Parameters:
    ///   - seconds: the seconds since 2001-01-01T00:00:00Z.
    ///   - separator: the byte between day and time.
    public mutating func append(secondsSince2001 seconds: Int, between separator: UInt8 = UInt8(ascii: "T")) {
        let (date, rest) = CalendarDay.withSecond(secondsSince2001: seconds)
        if date.year < 0 { append(UInt8(ascii: "-")) }
        let year = date.year.magnitude
        if year > 9999 { append(contentsOf: String(year / 10_000).utf8) }
        append(addingCapacity: 19) { text in
            text.append(pair: Int(year / 100 % 100))
            text.append(pair: Int(year % 100))
            text.append(UInt8(ascii: "-"))
            text.append(pair: date.month)
            text.append(UInt8(ascii: "-"))
            text.append(pair: date.day)
            text.append(separator)
            text.append(pair: rest / 3600)
            text.append(UInt8(ascii: ":"))
            text.append(pair: rest / 60 % 60)
            text.append(UInt8(ascii: ":"))
            text.append(pair: rest % 60)
        }
    }

    /// Appends a date in ISO 8601 format, in UTC, with as many fractional digits as the exact value needs.
    ///
    /// - Parameter value: the seconds since 2001.
    /// - Returns: false, with nothing appended, for a date that cannot be represented, or outside the years 0 to 9999.
    public mutating func append(date value: Double) -> Bool {
        guard value >= -63_145_526_400, value < 252_423_993_600 else { return false }
        var whole = Int(value)
        if Double(whole) > value { whole -= 1 }
        guard let fraction = SecondFraction(of: value, above: whole) else { return false }
        append(secondsSince2001: whole)
        if fraction.places > 0 {
            append(UInt8(ascii: "."))
            append(digits: fraction.digits, atLeast: fraction.places)
        }
        append(UInt8(ascii: "Z"))
        return true
    }
}

extension OutputSpan<UInt8> {
    /// Appends two digits of a number below 100.
    fileprivate mutating func append(pair value: Int) {
        let value = UInt8(truncatingIfNeeded: value)
        append(UInt8(ascii: "0") + value / 10)
        append(UInt8(ascii: "0") + value % 10)
    }
}
