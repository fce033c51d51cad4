/// Converts texts to the digits of decimal attributes, without rounding.
package enum DecimalConversion {
    /// The number of digits of an NSDecimalNumber.
    static let largestDigitCount = 38
    static let exponents = -128...127

    /// A decimal in its shortest plain form.
    enum Result: Equatable {
        /// A part of the text.
        case part(Range<Int>)
        /// A new text.
        case written([UInt8])
    }

    /// Returns the shortest plain form, such as `-7.5` for `-007.50` and `1200` for `1.2e3`.
    static func decimal(_ text: Span<UInt8>) throws(ConversionFailure) -> Result {
        guard let digits = DecimalDigits(text) else {
            if isNotANumber(text) { return .part(text.indices) }
            throw ConversionFailure(.notADecimal)
        }
        if let part = plainPart(text, digits) { return .part(part) }
        return .written(try rewritten(text, digits))
    }

    /// Returns whether the text is the decimal NaN, as in stores and exports.
    private static func isNotANumber(_ text: Span<UInt8>) -> Bool {
        text.count == 3 && text[0] == UInt8(ascii: "N") && text[1] == UInt8(ascii: "a") && text[2] == UInt8(ascii: "N")
    }

    /// Returns the text or a part of it, if it is short and has no exponent.
    @inline(__always)
    private static func plainPart(_ text: Span<UInt8>, _ digits: DecimalDigits) -> Range<Int>? {
        guard digits.droppedDigits == 0, digits.mantissa > 0 else { return nil }
        let first = text[0]
        let start = first == UInt8(ascii: "+") ? 1 : 0
        let firstDigit = first == UInt8(ascii: "-") || start == 1 ? 1 : 0
        guard
            text[firstDigit] &- 0x31 < 9
                || (text[firstDigit] == 0x30 && firstDigit + 1 < text.count
                    && text[firstDigit + 1] == UInt8(ascii: "."))
        else { return nil }
        var end = text.count
        // An exponent would be after the last digit, which is the only place where a letter can be.
        guard digits.exponent <= 0, text.count <= 22 else { return nil }
        var point = -1
        for index in firstDigit..<end {
            if text[index] == UInt8(ascii: ".") { point = index }
            if text[index] > 0x39 { return nil }
        }
        if point >= 0 {
            while text[end - 1] == 0x30 { end -= 1 }
            if end - 1 == point { end = point }
        }
        return start..<end
    }

    private static func rewritten(
        _ text: Span<UInt8>, _ found: DecimalDigits
    ) throws(ConversionFailure) -> [UInt8] {
        // The digits without leading and trailing zeros; the exponent compensates for the trailing ones.
        var digits: [UInt8] = []
        var exponent = found.exponent - found.droppedDigits
        for index in text.indices {
            let byte = text[index]
            if byte | 0x20 == UInt8(ascii: "e") { break }
            guard byte &- 0x30 < 10 else { continue }
            if byte == 0x30 && digits.isEmpty { continue }
            digits.append(byte)
        }
        while let last = digits.last, last == 0x30 {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { return [0x30] }
        guard digits.count <= largestDigitCount else { throw ConversionFailure(.tooManyDigits) }
        guard exponent <= exponents.upperBound else { throw found.outOfRange }
        guard exponent >= exponents.lowerBound else { throw ConversionFailure(.tooManyDigits) }

        var written: [UInt8] = found.isNegative ? [UInt8(ascii: "-")] : []
        let point = digits.count + exponent
        if exponent >= 0 {
            written += digits + [UInt8](repeating: 0x30, count: exponent)
        } else if point > 0 {
            written += digits[..<point] + [UInt8(ascii: ".")] + digits[point...]
        } else {
            written += [0x30, UInt8(ascii: ".")] + [UInt8](repeating: 0x30, count: -point) + digits
        }
        return written
    }
}
