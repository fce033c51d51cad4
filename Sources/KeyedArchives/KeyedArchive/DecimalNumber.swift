/// A decimal number of up to 38 digits in Foundation's representation: a mantissa times a power of ten.
public struct DecimalNumber: Hashable, Sendable {
    /// Whether the number is negative.
    public let isNegative: Bool
    /// The digits as one integer; 0 for NaN.
    public let mantissa: UInt128
    /// The power of ten, -128 to 127.
    public let exponent: Int
    /// Whether this is Foundation's `NaN`.
    public let isNotANumber: Bool

    /// Foundation's `NaN` as a decimal number.
    public static let notANumber = DecimalNumber(isNegative: true, mantissa: 0, exponent: 0, isNotANumber: true)

    /// Makes a number from its digits and the power of ten by which they are multiplied.
    public init(isNegative: Bool, mantissa: UInt128, exponent: Int) {
        self.init(isNegative: isNegative, mantissa: mantissa, exponent: exponent, isNotANumber: false)
    }

    private init(isNegative: Bool, mantissa: UInt128, exponent: Int, isNotANumber: Bool) {
        self.isNegative = isNegative
        self.mantissa = mantissa
        self.exponent = exponent
        self.isNotANumber = isNotANumber
    }

    /// Parses a text such as `-12.50e3`; nil if the mantissa has too many digits, or the exponent is out of range.
    /// Trailing zeros of the fraction are ignored.
    public init?(_ text: some StringProtocol) {
        if text == "NaN" {
            self = .notANumber
            return
        }
        var rest = Array(text.utf8)[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") {
            rest.removeFirst()
        }
        var mantissa: UInt128 = 0
        var exponent = 0
        var zeros = 0
        var hasDigits = false
        var isFraction = false
        while let byte = rest.first {
            if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
            } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                hasDigits = true
                exponent -= isFraction ? 1 : 0
                // Zeros are deferred: trailing ones are added to the exponent.
                zeros += 1
                if byte != UInt8(ascii: "0") {
                    guard let scaled = Self.scaled(mantissa, by: zeros, adding: byte - UInt8(ascii: "0")) else {
                        return nil
                    }
                    mantissa = scaled
                    zeros = 0
                }
            } else {
                break
            }
            rest.removeFirst()
        }
        exponent += zeros
        if let byte = rest.first {
            guard byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E"), rest.count < 8,
                let power = Int(String(decoding: rest.dropFirst(), as: UTF8.self))
            else { return nil }
            exponent += power
        }
        // Integers of moderate size are stored without an exponent.
        while exponent > 0, let scaled = Self.scaled(mantissa, by: 1, adding: 0) {
            mantissa = scaled
            exponent -= 1
        }
        guard hasDigits, mantissa == 0 || (-128...127).contains(exponent) else { return nil }
        self.init(isNegative: isNegative && mantissa != 0, mantissa: mantissa, exponent: mantissa == 0 ? 0 : exponent)
    }

    private static func scaled(_ mantissa: UInt128, by power: Int, adding digit: UInt8) -> UInt128? {
        var result = mantissa
        for _ in 0..<power where result != 0 {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            result = product
        }
        let (sum, overflow) = result.addingReportingOverflow(UInt128(digit))
        return overflow ? nil : sum
    }
}

extension DecimalNumber: CustomStringConvertible {
    /// All digits without an exponent, as Foundation prints decimal numbers; `NaN` for NaN.
    public var description: String {
        guard !isNotANumber else { return "NaN" }
        guard mantissa != 0 else { return "0" }
        var digits = String(mantissa)
        var exponent = exponent
        while exponent < 0, digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        if exponent >= 0 {
            digits += String(repeating: "0", count: exponent)
        } else {
            if digits.count <= -exponent {
                digits = String(repeating: "0", count: 1 - exponent - digits.count) + digits
            }
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: exponent))
        }
        return (isNegative ? "-" : "") + digits
    }
}
