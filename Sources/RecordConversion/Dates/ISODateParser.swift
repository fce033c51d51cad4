/// Reads the rarer forms of ISO 8601, part by part.
struct ISODateParser {
    private var index: Int

    init(at index: Int = 0) {
        self.index = index
    }

    /// The offset up to which the text has been read.
    var position: Int { index }

    mutating func seconds(
        _ text: Span<UInt8>, zone: borrowing ZoneOffset
    ) throws(ConversionFailure) -> (whole: Int, fraction: Double) {
        var date = CivilDate()
        let isBasic = try day(text, into: &date)
        var offset: Int?
        if index < text.count {
            guard text[index] | 0x20 == UInt8(ascii: "t") || text[index] == 0x20 else { throw failure }
            index += 1
            try time(text, isBasic: isBasic, into: &date)
            if index < text.count, text[index] == 0x20 { index += 1 }
            offset = try self.offset(text)
        }
        guard index == text.count else { throw failure }
        guard date.exists else { throw ConversionFailure(.noSuchDate) }
        let local = date.secondsSince1970
        return (offset.map { local - $0 } ?? zone.seconds(fromLocal: local), date.fraction)
    }

    /// Reads the date; returns true if it has no separators.
    private mutating func day(_ text: Span<UInt8>, into date: inout CivilDate) throws(ConversionFailure) -> Bool {
        date.year = try digits(text, 4)
        guard index < text.count else { return false }
        let separator = text[index]
        if separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/") {
            index += 1
            date.month = try digits(text, separator == UInt8(ascii: "/") ? 1 : 2)
            guard index < text.count, text[index] == separator else { return false }
            index += 1
            date.day = try digits(text, separator == UInt8(ascii: "/") ? 1 : 2)
            return false
        }
        date.month = try digits(text, 2)
        date.day = try digits(text, 2)
        return true
    }

    private mutating func time(
        _ text: Span<UInt8>, isBasic: Bool, into date: inout CivilDate
    ) throws(ConversionFailure) {
        date.hour = try digits(text, 2)
        guard index < text.count else { return }
        let hasColons = text[index] == UInt8(ascii: ":")
        guard hasColons || text[index] &- 0x30 < 10 else { return }
        if hasColons { index += 1 }
        date.minute = try digits(text, 2)
        guard index < text.count, hasColons ? text[index] == UInt8(ascii: ":") : text[index] &- 0x30 < 10 else {
            return
        }
        if hasColons { index += 1 }
        date.second = try digits(text, 2)
        guard index < text.count, text[index] == UInt8(ascii: ".") || text[index] == UInt8(ascii: ",") else { return }
        index += 1
        date.fraction = try fraction(text)
    }

    /// Reads the digits of a fraction of a second, correctly rounded to at least nanoseconds.
    mutating func fraction(_ text: Span<UInt8>) throws(ConversionFailure) -> Double {
        var value: UInt64 = 0
        var scale = 1.0
        let start = index
        while index < text.count, text[index] &- 0x30 < 10 {
            if index - start < 18 {
                value = value * 10 + UInt64(text[index] &- 0x30)
                scale *= 10
            }
            index += 1
        }
        guard index > start else { throw failure }
        return Double(value) / scale
    }

    /// Reads `Z`, `+09:00`, `-0330`, `+09`, or nothing.
    private mutating func offset(_ text: Span<UInt8>) throws(ConversionFailure) -> Int? {
        guard index < text.count else { return nil }
        if text[index] | 0x20 == UInt8(ascii: "z") {
            index += 1
            return 0
        }
        return try numericOffset(text)
    }

    mutating func numericOffset(_ text: Span<UInt8>) throws(ConversionFailure) -> Int {
        guard index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") else {
            throw failure
        }
        let sign = text[index] == UInt8(ascii: "-") ? -1 : 1
        index += 1
        let hours = try digits(text, 2)
        var minutes = 0
        if index < text.count, text[index] == UInt8(ascii: ":") { index += 1 }
        if index < text.count, text[index] &- 0x30 < 10 { minutes = try digits(text, 2) }
        guard hours <= 18, minutes <= 59 else { throw ConversionFailure(.noSuchDate, at: index) }
        return sign * (hours * 3600 + minutes * 60)
    }

    /// Reads a number of digits; if it is two, one digit is sufficient.
    private mutating func digits(_ text: Span<UInt8>, _ count: Int) throws(ConversionFailure) -> Int {
        var value = 0
        var read = 0
        let most = count == 1 ? 2 : count
        while read < most, index < text.count, text[index] &- 0x30 < 10 {
            value = value * 10 + Int(text[index] &- 0x30)
            index += 1
            read += 1
        }
        guard read >= count else { throw failure }
        return value
    }

    private var failure: ConversionFailure { ConversionFailure(.notADate, at: index) }
}
