import TextEncodings

extension DatePattern {
    /// Returns the text of a time in the pattern; nil if the pattern cannot represent the year. Parts of the time that
    /// the pattern does not contain are lost.
    ///
    /// - Parameters:
    ///   - local: whole seconds since 1970 on the clock that is written.
    ///   - fraction: the fraction of a second; a whole second is written with three zeros.
    ///   - offset: how far this clock is ahead of UTC, in seconds.
    func text(local: Int, fraction: SecondFraction, offset: Int) -> [UInt8]? {
        guard let date = CivilDate(secondsSince1970: local) else { return nil }
        var text: [UInt8] = []
        for step in steps {
            switch step {
            case .number(let part, let digits, let isExact):
                let number = Self.value(of: part, date, local: local, fraction: fraction, offset: offset)
                let isPadded = isExact || (part != .secondsSince1970 && part != .millisecondOfDay)
                if number < 0 { text.append(UInt8(ascii: "-")) }
                text.append(digits: UInt64(number.magnitude), atLeast: isPadded ? digits : 1)
            case .fraction: text.append(digits: fraction.digits, atLeast: fraction.places == 0 ? 3 : fraction.places)
            case .monthName(let isShort):
                // Some languages have stand-alone names between the long and the short ones.
                let first = isShort ? (names.months.count == 24 ? 12 : 24) : 0
                text += names.months[first + date.month - 1]
            case .weekdayName(let isShort):
                // 1970-01-01 was a Thursday.
                let day = date.daysSince1970 + 4
                text += names.weekdays[(isShort ? 7 : 0) + (day % 7 + 7) % 7]
            case .dayPeriod: text += names.dayPeriods[date.hour < 12 ? 0 : 1]
            case .offset:
                text += offset < 0 ? [UInt8(ascii: "-")] : [UInt8(ascii: "+")]
                text.append(digits: UInt64(offset.magnitude / 3600), atLeast: 2)
                text.append(digits: UInt64(offset.magnitude / 60 % 60), atLeast: 2)
            case .literal(let byte): text.append(byte)
            case .space: text.append(UInt8(ascii: " "))
            }
        }
        return text
    }

    private static func value(
        of part: Part, _ date: CivilDate, local: Int, fraction: SecondFraction, offset: Int
    ) -> Int {
        switch part {
        case .year, .fullYear: return date.year
        case .shortYear, .yearOfCentury: return date.year % 100
        case .month: return date.month
        case .day: return date.day
        case .dayOfYear: return date.daysSince1970 - CivilDate(year: date.year).daysSince1970 + 1
        case .hour: return date.hour
        case .halfDayHour: return (date.hour + 11) % 12 + 1
        case .minute: return date.minute
        case .second: return date.second
        case .millisecondOfDay:
            return ((date.hour * 60 + date.minute) * 60 + date.second) * 1000 + fraction.thousandths
        case .secondsSince1970: return local - offset
        }
    }
}
