import TextEncodings
/// Converts texts to binary floating-point numbers, correctly rounded.
enum RealConversion {
    /// The powers of ten that a double represents exactly.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Returns a power of ten from 0 to 22.
    @inline(__always)
    static func power(_ exponent: Int) -> Double { powers[exponent] }

    /// Returns the double that is nearest to a decimal number; also accepts `inf` and `-inf`, as in exports. NaN is
    /// never stored.
    static func double(_ text: Span<UInt8>) throws(ConversionFailure) -> Double {
        guard let digits = DecimalDigits(text) else { return try infinity(text) }
        // Both factors are exact, so the single rounding of the product is correct (Clinger's fast path).
        if digits.droppedDigits == 0, digits.mantissa <= 1 << 53, -22...22 ~= digits.exponent {
            let mantissa = Double(digits.mantissa)
            let value =
                digits.exponent < 0
                ? mantissa / powers[-digits.exponent] : mantissa * powers[digits.exponent]
            return digits.isNegative ? -value : value
        }
        guard let value = Double(String(copying: text)) else { throw ConversionFailure(.notANumber) }
        guard value.isFinite else { throw digits.outOfRange }
        return value
    }

    /// Returns the float that is nearest to a decimal number, as a double of the same value, without rounding twice.
    static func float(_ text: Span<UInt8>) throws(ConversionFailure) -> Double {
        guard let digits = DecimalDigits(text) else { return try infinity(text) }
        if digits.droppedDigits == 0, digits.mantissa <= 1 << 24, -10...10 ~= digits.exponent {
            let mantissa = Float(digits.mantissa)
            let power = Float(powers[abs(digits.exponent)])
            let value = digits.exponent < 0 ? mantissa / power : mantissa * power
            return Double(digits.isNegative ? -value : value)
        }
        guard let value = Float(String(copying: text)) else { throw ConversionFailure(.notANumber) }
        guard value.isFinite else { throw digits.outOfRange }
        return Double(value)
    }

    private static func infinity(_ text: Span<UInt8>) throws(ConversionFailure) -> Double {
        switch text.count {
        case 3 where String(copying: text) == "inf": return .infinity
        case 4 where String(copying: text) == "-inf": return -.infinity
        default: throw ConversionFailure(.notANumber)
        }
    }

    /// Returns a double rounded to a float.
    static func float(_ value: Double) throws(ConversionFailure) -> Double {
        let float = Float(value)
        // Infinity is a valid value, and not a number that is too large.
        guard float.isFinite || value.isInfinite else {
            throw ConversionFailure(value > 0 ? .numberTooLarge : .numberTooSmall)
        }
        return Double(float)
    }
}
