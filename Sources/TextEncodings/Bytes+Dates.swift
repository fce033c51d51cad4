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
        append(atMost: 19) { text in
            text.store(date, second: rest, between: separator)
            return 19
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
        let (date, second) = CalendarDay.withSecond(secondsSince2001: whole)
        append(atMost: 21 + fraction.places) { text in
            text.store(date, second: second, between: UInt8(ascii: "T"))
            var end = 19
            if fraction.places > 0 {
                text[end] = UInt8(ascii: ".")
                (text + end + 1).store(digits: fraction.digits, count: fraction.places)
                end += 1 + fraction.places
            }
            text[end] = UInt8(ascii: "Z")
            return end + 1
        }
        return true
    }
}

extension UnsafeMutablePointer<UInt8> {
    /// Stores the nineteen bytes of a moment, with the last four digits of the year and without its sign.
    fileprivate func store(_ date: CalendarDay, second: Int, between separator: UInt8) {
        let year = Int(date.year.magnitude)
        store(pair: year / 100 % 100)
        (self + 2).store(pair: year % 100)
        self[4] = UInt8(ascii: "-")
        (self + 5).store(pair: date.month)
        self[7] = UInt8(ascii: "-")
        (self + 8).store(pair: date.day)
        self[10] = separator
        (self + 11).store(pair: second / 3600)
        self[13] = UInt8(ascii: ":")
        (self + 14).store(pair: second / 60 % 60)
        self[16] = UInt8(ascii: ":")
        (self + 17).store(pair: second % 60)
    }
}
