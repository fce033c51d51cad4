/// The parts of a decimal number, `[+-]digits[.digits][e[+-]digits]`, found without arithmetic on large numbers.
struct DecimalDigits {
    var isNegative = false
    /// The first 19 significant digits.
    var mantissa: UInt64 = 0
    /// The number of digits after those of the mantissa, before the exponent is applied.
    var droppedDigits = 0
    /// Whether one of the dropped digits is not zero.
    var hasDroppedNonzero = false
    /// The power of ten by which the mantissa is multiplied, including the dropped digits.
    var exponent = 0
    /// The number of digits without leading zeros, including those of the fraction.
    var significantDigits = 0

    /// Parses a complete text; returns nil if it does not have this form.
    init?(_ text: Span<UInt8>) {
        var index = 0
        let count = text.count
        if index < count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
            isNegative = text[index] == UInt8(ascii: "-")
            index += 1
        }
        var digits = 0
        var point = -1
        while index < count {
            let byte = text[index]
            let digit = byte &- 0x30
            if digit < 10 {
                digits += 1
                if significantDigits > 0 || digit > 0 { significantDigits += 1 }
                if significantDigits <= 19 {
                    mantissa = mantissa &* 10 &+ UInt64(digit)
                    if point >= 0 { exponent -= 1 }
                } else {
                    droppedDigits += 1
                    if digit > 0 { hasDroppedNonzero = true }
                    if point < 0 { exponent += 1 }
                }
            } else if byte == UInt8(ascii: "."), point < 0 {
                point = index
            } else {
                break
            }
            index += 1
        }
        guard digits > 0 else { return nil }
        guard index < count else { return }
        guard text[index] | 0x20 == UInt8(ascii: "e") else { return nil }
        index += 1
        var isNegativeExponent = false
        if index < count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
            isNegativeExponent = text[index] == UInt8(ascii: "-")
            index += 1
        }
        guard index < count else { return nil }
        var given = 0
        while index < count {
            let digit = text[index] &- 0x30
            guard digit < 10 else { return nil }
            // Large enough to be out of every range, and small enough not to overflow.
            if given < 100_000_000 { given = given * 10 + Int(digit) }
            index += 1
        }
        exponent += isNegativeExponent ? -given : given
    }

    /// Returns the exact integer; throws the reason if there is none.
    func integer() throws(ConversionFailure) -> Int64 {
        var value = mantissa
        var power = exponent
        if value == 0 { return 0 }
        while power < 0 {
            let (quotient, remainder) = value.quotientAndRemainder(dividingBy: 10)
            guard remainder == 0 && !hasDroppedNonzero else { throw ConversionFailure(.hasFraction) }
            value = quotient
            power += 1
        }
        guard !hasDroppedNonzero else { throw outOfRange }
        while power > 0 {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow else { throw outOfRange }
            value = product
            power -= 1
        }
        if isNegative {
            guard value <= UInt64(Int64.max) + 1 else { throw outOfRange }
            return Int64(truncatingIfNeeded: 0 &- value)
        }
        guard value <= UInt64(Int64.max) else { throw outOfRange }
        return Int64(value)
    }

    var outOfRange: ConversionFailure { ConversionFailure(isNegative ? .numberTooSmall : .numberTooLarge) }
}
