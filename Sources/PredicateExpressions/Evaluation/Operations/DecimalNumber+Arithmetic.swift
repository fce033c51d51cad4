package import KeyedArchives

/// Decimal arithmetic like Foundation's: exact if 38 digits suffice, otherwise rounded half away from zero.
extension DecimalNumber {
    /// The largest mantissa of results: 38 nines.
    private static let mantissaLimit: UInt128 = 99_999_999_999_999_999_999_999_999_999_999_999_999

    init(_ value: Int64) {
        self.init(isNegative: value < 0, mantissa: UInt128(value.magnitude), exponent: 0)
    }

    /// The nearest real.
    package var real: Double {
        guard !isNotANumber else { return .nan }
        let digits = "\(isNegative ? "-" : "")\(mantissa)e\(exponent)"
        return Double(digits) ?? .nan
    }

    /// Returns the order: -1, 0 or 1.
    package static func order(_ left: DecimalNumber, _ right: DecimalNumber) -> Int {
        let signs = (left.sign, right.sign)
        guard signs.0 == signs.1 else { return signs.0 < signs.1 ? -1 : 1 }
        guard signs.0 != 0 else { return 0 }
        return signs.0 * orderMagnitudes(left, right)
    }

    private var sign: Int { mantissa == 0 ? 0 : isNegative ? -1 : 1 }

    private static func orderMagnitudes(_ left: DecimalNumber, _ right: DecimalNumber) -> Int {
        // If the positions of the first digits differ, they decide; otherwise both numbers fit a common scale of 256
        // bits.
        let heights = (left.digitCount + left.exponent, right.digitCount + right.exponent)
        guard heights.0 == heights.1 else { return heights.0 < heights.1 ? -1 : 1 }
        let difference = left.exponent - right.exponent
        let first = left.scaled(by: max(difference, 0))
        let second = right.scaled(by: max(-difference, 0))
        if first.high != second.high { return first.high < second.high ? -1 : 1 }
        return first.low < second.low ? -1 : first.low > second.low ? 1 : 0
    }

    private var digitCount: Int {
        var count = 0
        var rest = mantissa
        while rest != 0 {
            rest /= 10
            count += 1
        }
        return count
    }

    /// Returns the mantissa times a power of ten, which is at most 38.
    private func scaled(by power: Int) -> (high: UInt128, low: UInt128) {
        var result: (high: UInt128, low: UInt128) = (0, mantissa)
        for _ in 0..<power {
            let (carry, low) = result.low.multipliedFullWidth(by: 10)
            result = (result.high &* 10 &+ carry, low)
        }
        return result
    }

    static func sum(_ left: DecimalNumber, _ right: DecimalNumber) throws(EvaluationFault) -> DecimalNumber {
        guard left.mantissa != 0 else { return right }
        guard right.mantissa != 0 else { return left }
        var (large, small) = left.exponent >= right.exponent ? (left, right) : (right, left)
        // The larger exponent is reduced as far as the mantissa allows, then the smaller one is increased.
        var (mantissa, exponent) = (large.mantissa, large.exponent)
        while exponent > small.exponent, mantissa <= mantissaLimit / 10 {
            mantissa *= 10
            exponent -= 1
        }
        large = DecimalNumber(isNegative: large.isNegative, mantissa: mantissa, exponent: exponent)
        small = DecimalNumber(
            isNegative: small.isNegative, mantissa: rounded(small.mantissa, droppingDigits: exponent - small.exponent),
            exponent: exponent)
        if large.isNegative == small.isNegative {
            let (sum, overflow) = large.mantissa.addingReportingOverflow(small.mantissa)
            return try fitted(large.isNegative, high: overflow ? 1 : 0, sum, exponent)
        }
        return large.mantissa >= small.mantissa
            ? try fitted(large.isNegative, high: 0, large.mantissa - small.mantissa, exponent)
            : try fitted(small.isNegative, high: 0, small.mantissa - large.mantissa, exponent)
    }

    var negated: DecimalNumber {
        DecimalNumber(isNegative: !isNegative && mantissa != 0, mantissa: mantissa, exponent: exponent)
    }

    static func product(_ left: DecimalNumber, _ right: DecimalNumber) throws(EvaluationFault) -> DecimalNumber {
        let (high, low) = left.mantissa.multipliedFullWidth(by: right.mantissa)
        return try fitted(left.isNegative != right.isNegative, high: high, low, left.exponent + right.exponent)
    }

    /// Returns the quotient; the divisor must not be zero.
    static func quotient(_ left: DecimalNumber, _ right: DecimalNumber) throws(EvaluationFault) -> DecimalNumber {
        var exponent = left.exponent - right.exponent
        var (quotient, remainder) = left.mantissa.quotientAndRemainder(dividingBy: right.mantissa)
        while remainder != 0, quotient <= mantissaLimit / 10 - 1, exponent > -127 {
            let shifted = remainder.multipliedFullWidth(by: 10)
            let step = right.mantissa.dividingFullWidth(shifted)
            quotient = quotient * 10 + step.quotient
            remainder = step.remainder
            exponent -= 1
        }
        if remainder >= right.mantissa - remainder, remainder != 0 {
            quotient += 1
        }
        return try fitted(left.isNegative != right.isNegative, high: 0, quotient, exponent)
    }

    /// The integer part, rounded towards zero.
    package var truncated: DecimalNumber {
        var (mantissa, exponent) = (mantissa, exponent)
        while exponent < 0, mantissa != 0 {
            mantissa /= 10
            exponent += 1
        }
        return DecimalNumber(
            isNegative: isNegative && mantissa != 0, mantissa: mantissa, exponent: mantissa == 0 ? 0 : exponent)
    }

    private static func rounded(_ mantissa: UInt128, droppingDigits count: Int) -> UInt128 {
        var result = mantissa
        var last: UInt128 = 0
        for _ in 0..<count where result != 0 || last != 0 {
            (result, last) = result.quotientAndRemainder(dividingBy: 10)
        }
        return last >= 5 ? result + 1 : result
    }

    /// Returns the number with a mantissa of at most 38 digits and without trailing zeros of the fraction.
    private static func fitted(
        _ isNegative: Bool, high: UInt128, _ low: UInt128, _ power: Int
    ) throws(EvaluationFault) -> DecimalNumber {
        var (high, low, exponent) = (high, low, power)
        var last: UInt128 = 0
        while high != 0 || low > mantissaLimit {
            let (quotient, remainder) = high.quotientAndRemainder(dividingBy: 10)
            let (lower, digit) = UInt128(10).dividingFullWidth((remainder, low))
            (high, low, last) = (quotient, lower, digit)
            exponent += 1
        }
        if last >= 5 {
            low += 1
        }
        while low != 0, exponent < 0 || low > mantissaLimit, low % 10 == 0 {
            low /= 10
            exponent += 1
        }
        // A number that is too small becomes zero, as in Foundation's rounding.
        while low != 0, exponent < -128 {
            low = rounded(low, droppingDigits: 1)
            exponent += 1
        }
        guard low != 0 else { return DecimalNumber(isNegative: false, mantissa: 0, exponent: 0) }
        while exponent > 0, low <= mantissaLimit / 10 {
            low *= 10
            exponent -= 1
        }
        guard exponent <= 127 else {
            throw EvaluationFault(.overflow, "the result has more digits than a decimal number can have")
        }
        return DecimalNumber(isNegative: isNegative, mantissa: low, exponent: exponent)
    }
}
