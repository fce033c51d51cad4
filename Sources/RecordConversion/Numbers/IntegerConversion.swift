/// Converts texts and doubles to integers.
enum IntegerConversion {
    /// Returns the integer of a text; `5.00` and `1e3` are integers too, but numbers with a fraction are not.
    @inline(__always)
    static func integer(_ text: Span<UInt8>, in range: ClosedRange<Int64>) throws(ConversionFailure) -> Int64 {
        let count = text.count
        guard count > 0 else { throw ConversionFailure(.notAnInteger) }
        let isNegative = text[0] == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        // Eighteen digits cannot overflow. Longer and unusual texts take the slow path.
        guard count - index <= 18, index < count else { return try closely(text, in: range) }
        var value: Int64 = 0
        while index < count {
            let digit = text[index] &- 0x30
            guard digit < 10 else { return try closely(text, in: range) }
            value = value &* 10 &+ Int64(digit)
            index += 1
        }
        if isNegative { value = -value }
        guard range.contains(value) else { throw outOfRange(value, range) }
        return value
    }

    @inline(never)
    private static func closely(
        _ text: Span<UInt8>, in range: ClosedRange<Int64>
    ) throws(ConversionFailure) -> Int64 {
        guard let digits = DecimalDigits(text) else { throw ConversionFailure(.notAnInteger) }
        let value = try digits.integer()
        guard range.contains(value) else { throw outOfRange(value, range) }
        return value
    }

    static func outOfRange(_ value: Int64, _ range: ClosedRange<Int64>) -> ConversionFailure {
        ConversionFailure(value > range.upperBound ? .numberTooLarge : .numberTooSmall)
    }

    /// Returns a double as an integer, if it is a whole number.
    static func integer(_ value: Double, in range: ClosedRange<Int64>) throws(ConversionFailure) -> Int64 {
        guard value.isFinite else { throw ConversionFailure(.notAnInteger) }
        guard let exact = Int64(exactly: value) else {
            if value.rounded() != value { throw ConversionFailure(.hasFraction) }
            throw ConversionFailure(value > 0 ? .numberTooLarge : .numberTooSmall)
        }
        guard range.contains(exact) else { throw outOfRange(exact, range) }
        return exact
    }
}
