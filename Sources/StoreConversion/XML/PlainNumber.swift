/// Parses numbers in their most common form: a sign, digits, a decimal point, digits.
///
/// For other forms it returns nil, and the caller uses a complete parser.
enum PlainNumber {
    static func integer(_ text: Span<UInt8>) -> Int64? {
        guard let number = Decimal(text), !number.isFraction else { return nil }
        return number.isNegative ? -number.mantissa : number.mantissa
    }

    /// Returns an exact double: a mantissa and a power of ten, which doubles represent exactly, are divided once
    /// (Clinger's fast path).
    static func real(_ text: Span<UInt8>) -> Double? {
        guard let number = Decimal(text), number.mantissa <= 1 << 53, number.places < powers.count else { return nil }
        let value = Double(number.mantissa) / powers[number.places]
        return number.isNegative ? -value : value
    }

    /// Returns a single-precision number as a double; nil for texts that may stand for another number.
    static func single(_ text: Span<UInt8>) -> Double? {
        guard text.count < 17, let number = Decimal(text), number.mantissa <= 1 << 24, number.places <= 10 else {
            return nil
        }
        let value = Float(number.mantissa) / Float(powers[number.places])
        return Double(number.isNegative ? -value : value)
    }

    static func isDecimal(_ text: Span<UInt8>) -> Bool { Decimal(text) != nil }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// `mantissa / 10^places`, without trailing zeros of the fraction.
    private struct Decimal {
        var mantissa: Int64 = 0
        var places = 0
        var isNegative = false
        var isFraction = false

        init?(_ text: Span<UInt8>) {
            // 18 digits never overflow.
            var digits = 0
            var zeros = 0
            var hasDigits = false
            for index in text.indices {
                let byte = text[index]
                switch byte {
                case UInt8(ascii: "0") where isFraction:
                    hasDigits = true
                    zeros += 1
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    hasDigits = true
                    digits += zeros + 1
                    guard digits <= 18 else { return nil }
                    for _ in 0..<zeros { mantissa *= 10 }
                    if isFraction { places += zeros + 1 }
                    zeros = 0
                    mantissa = mantissa * 10 + Int64(byte - UInt8(ascii: "0"))
                case UInt8(ascii: "-") where index == 0: isNegative = true
                case UInt8(ascii: ".") where !isFraction && hasDigits: isFraction = true
                default: return nil
                }
                // Longer texts are not parsed here.
                if zeros + digits > 40 { return nil }
            }
            if !hasDigits || text[text.count - 1] == UInt8(ascii: ".") { return nil }
        }
    }
}
