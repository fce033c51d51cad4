/// Appending reals as text, if possible without an intermediate `String`.
extension [UInt8] {
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// Appends the shortest text that is parsed as the same double; whole numbers with or without `.0`.
    public mutating func append(real value: Double, wholeEnding: Bool = true) {
        let magnitude = value.magnitude
        guard magnitude < 9e15 else { return append(contentsOf: value.description.utf8) }
        let whole = UInt64(magnitude)
        if Double(whole) == magnitude {
            if value.sign == .minus { append(UInt8(ascii: "-")) }
            append(digits: whole)
            if wholeEnding { append(text: ".0") }
            return
        }
        // With digits below 2^53 and a power of ten up to 10^22, the division is correctly rounded, as a parser's is.
        for places in 1...15 {
            let power = Self.powers[places]
            let scaled = magnitude * power + 0.5
            guard scaled < 9e15 else { break }
            let digits = UInt64(scaled)
            guard Double(digits) / power == magnitude else { continue }
            if value.sign == .minus { append(UInt8(ascii: "-")) }
            append(digits: digits, places: places)
            return
        }
        append(contentsOf: value.description.utf8)
    }

    /// Appends the shortest text that is parsed as the same float, like its description.
    public mutating func append(single value: Float) {
        let magnitude = Double(value.magnitude)
        // Larger or smaller numbers may need an exponent.
        if magnitude < 16_777_216, magnitude >= 0.001 || magnitude == 0 {
            let whole = UInt64(magnitude)
            if Double(whole) == magnitude {
                if value.sign == .minus { append(UInt8(ascii: "-")) }
                append(digits: whole)
                return append(text: ".0")
            }
            for places in 1...9 {
                let power = Self.powers[places]
                let scaled = magnitude * power
                var digits = UInt64(scaled)
                let rest = scaled - Double(digits)
                if rest > 0.5 || rest == 0.5 && digits & 1 == 1 { digits += 1 }
                let read = Double(digits) / power
                guard Float(read) == value.magnitude else { continue }
                // Near the middle between two floats, rounding twice may lead to another one than a parser finds.
                guard abs(read - magnitude) < Double(value.ulp) * 0.249 else { break }
                if value.sign == .minus { append(UInt8(ascii: "-")) }
                return append(digits: digits, places: places)
            }
        }
        append(contentsOf: value.description.utf8)
    }
}
