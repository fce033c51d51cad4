/// Reads a text according to a compiled date format.
struct DatePatternReader {
    private var date = CivilDate()
    private var index = 0
    private var isAfternoon: Bool?
    private var halfDayHour: Int?
    private var dayOfYear: Int?
    private var offset: Int?
    private var secondsSince1970: Int?
    private var milliseconds: Int?
    private var isShortYear = false

    /// Returns the whole seconds since 1970 (UTC), and the fraction of a second.
    mutating func seconds(
        _ text: Span<UInt8>, pattern: borrowing DatePattern, zone: borrowing ZoneOffset
    ) throws(ConversionFailure) -> (whole: Int, fraction: Double) {
        for step in pattern.steps {
            switch step {
            case .number(let part, let digits, let isExact):
                let start = index
                let number = try number(text, digits: digits, isExact: isExact)
                // `31.12.99` is not a date in the year 99.
                if part == .fullYear, index - start < 4 { throw failure }
                try set(part, number)
            case .fraction:
                var parser = ISODateParser(at: index)
                date.fraction = try parser.fraction(text)
                index = parser.position
            case .monthName:
                date.month = try name(text, pattern.names.months) % 12 + 1
            case .weekdayName:
                _ = try name(text, pattern.names.weekdays)
            case .dayPeriod:
                isAfternoon = try name(text, pattern.names.dayPeriods) % 2 == 1
            case .offset:
                try readOffset(text)
            case .literal(let byte):
                guard index < text.count, text[index] == byte else { throw failure }
                index += 1
            case .space:
                while index < text.count, text[index] == 0x20 || text[index] == 0x09 { index += 1 }
            }
        }
        guard index == text.count else { throw failure }
        if let secondsSince1970 { return (secondsSince1970, date.fraction) }
        // The day of the year needs the complete year, while finding the century needs the day. This order works
        // because in both possible centuries the year has the same length, from 1901 to 2099.
        if isShortYear, dayOfYear != nil { pattern.complete(&date) }
        try combine()
        if isShortYear, dayOfYear == nil { pattern.complete(&date) }
        guard date.exists else { throw ConversionFailure(.noSuchDate) }
        let local = date.secondsSince1970
        return (offset.map { local - $0 } ?? zone.seconds(fromLocal: local), date.fraction)
    }

    private mutating func number(
        _ text: Span<UInt8>, digits: Int, isExact: Bool
    ) throws(ConversionFailure) -> Int {
        var value = 0
        var read = 0
        // Numbers may be padded with a space, like C's %e.
        if !isExact, index < text.count, text[index] == 0x20 { index += 1 }
        while read < digits, index < text.count, text[index] &- 0x30 < 10 {
            value = value * 10 + Int(text[index] &- 0x30)
            index += 1
            read += 1
        }
        guard isExact ? read == digits : read > 0 else { throw failure }
        return value
    }

    private mutating func set(_ part: DatePattern.Part, _ value: Int) throws(ConversionFailure) {
        switch part {
        case .year, .fullYear: date.year = value
        case .shortYear:
            date.year = value
            isShortYear = true
        // In POSIX, 69 to 99 are in the twentieth century.
        case .yearOfCentury: date.year = value + (value < 69 ? 2000 : 1900)
        case .month: date.month = value
        case .day: date.day = value
        case .dayOfYear: dayOfYear = value
        case .hour: date.hour = value
        case .halfDayHour: halfDayHour = value
        case .minute: date.minute = value
        case .second: date.second = value
        case .millisecondOfDay: milliseconds = value
        case .secondsSince1970: secondsSince1970 = value
        }
    }

    /// Reads the longest matching name, and returns its number.
    private mutating func name(_ text: Span<UInt8>, _ names: [[UInt8]]) throws(ConversionFailure) -> Int {
        var best: (number: Int, count: Int)?
        for (number, name) in names.enumerated() where name.count > best?.count ?? 0 {
            if DateNames.matches(name, text, at: index) { best = (number, name.count) }
        }
        guard let best else { throw failure }
        index += best.count
        // Abbreviations may be followed by a period.
        if index < text.count, text[index] == UInt8(ascii: "."), index + 1 < text.count, text[index + 1] == 0x20 {
            index += 1
        }
        return best.number
    }

    private mutating func readOffset(_ text: Span<UInt8>) throws(ConversionFailure) {
        for name in [[0x47, 0x4D, 0x54], [0x55, 0x54, 0x43], [0x5A]] as [[UInt8]]
        where DateNames.matches(name, text, at: index) {
            index += name.count
            offset = 0
            let isSigned = index < text.count && (text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-"))
            guard isSigned else { return }
            break
        }
        var parser = ISODateParser(at: index)
        offset = try parser.numericOffset(text)
        index = parser.position
    }

    /// Combines parts that describe the same value, such as hour and day period.
    private mutating func combine() throws(ConversionFailure) {
        if let halfDayHour {
            guard 0...12 ~= halfDayHour else { throw ConversionFailure(.noSuchDate) }
            date.hour = halfDayHour % 12 + (isAfternoon == true ? 12 : 0)
        } else if isAfternoon == true, date.hour < 12 {
            date.hour += 12
        }
        if let milliseconds {
            guard milliseconds < 86_400_000 else { throw ConversionFailure(.noSuchDate) }
            date.hour = milliseconds / 3_600_000
            date.minute = milliseconds / 60_000 % 60
            date.second = milliseconds / 1000 % 60
            date.fraction = Double(milliseconds % 1000) / 1000
        }
        if var day = dayOfYear {
            let length = CivilDate.days(in: 2, of: date.year) + 337
            guard 1...length ~= day else { throw ConversionFailure(.noSuchDate) }
            date.month = 1
            while day > CivilDate.days(in: date.month, of: date.year) {
                day -= CivilDate.days(in: date.month, of: date.year)
                date.month += 1
            }
            date.day = day
        }
    }

    private var failure: ConversionFailure { ConversionFailure(.notADate, at: index) }
}
