import TextEncodings

/// Appends reals and dates as text to bytes.
enum ByteText {
    /// Appends the shortest text that represents the number; whole numbers have no fraction, as Core Data writes them.
    static func append(_ number: Double, isSingle: Bool, to bytes: inout [UInt8]) {
        if isSingle, number.isFinite, Double(Float(number)) != number {
            // With 17 digits, it differs from the single-precision number with the same shortest text.
            bytes += Self.seventeenDigits(number).utf8
        } else if number.magnitude < 0x1p53, Double(Int64(number)) == number, !(number == 0 && number.sign == .minus) {
            bytes.append(integer: Int64(number))
        } else {
            bytes += (isSingle ? "\(Float(number))" : "\(number)").utf8
        }
    }

    private static func seventeenDigits(_ number: Double) -> String {
        let text = "\(number)"
        let parts = text.split(separator: "e", maxSplits: 1)
        let mantissa = parts.first.map(String.init) ?? text
        let digits = mantissa.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let padding = String(repeating: "0", count: max(0, 17 - digits))
        let padded = mantissa.contains(".") ? mantissa + padding : mantissa + "." + padding
        return padded + (parts.count > 1 ? "e" + parts[1] : "")
    }

    /// Appends a date as Core Data writes it, with 20 decimal places. This is exact, because doubles have no more
    /// places from 2^-13 on.
    static func append(date seconds: Double, to bytes: inout [UInt8]) {
        let magnitude = seconds.magnitude
        guard magnitude < 0x1p63, magnitude == 0 || magnitude >= 0x1p-13 else {
            bytes += "\(seconds)".utf8
            return
        }
        if seconds.sign == .minus { bytes.append(UInt8(ascii: "-")) }
        var whole = UInt64(magnitude)
        let fraction = magnitude - Double(whole)
        var digits: UInt128 = 0
        if fraction > 0 {
            // The fraction is significand / 2^shift with at most 53 bits, so the product has at most 120 bits.
            let shift = 52 - Int(fraction.exponent)
            let product = UInt128(fraction.significandBitPattern | 1 << 52) * 100_000_000_000_000_000_000
            digits = product >> UInt128(shift)
            let rest = product & ((1 << UInt128(shift)) - 1)
            let half: UInt128 = 1 << UInt128(shift - 1)
            if rest > half || rest == half && digits & 1 == 1 { digits += 1 }
            if digits == 100_000_000_000_000_000_000 {
                digits = 0
                whole += 1
            }
        }
        bytes.append(digits: whole)
        bytes.append(UInt8(ascii: "."))
        bytes.append(digits: UInt64(digits / 10_000_000_000), atLeast: 10)
        bytes.append(digits: UInt64(digits % 10_000_000_000), atLeast: 10)
    }
}
