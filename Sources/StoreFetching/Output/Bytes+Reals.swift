import TextEncodings

/// Reals as text at the end of a buffer, without a `String` in between where that can be.
extension [UInt8] {
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// The shortest text that is read as the same double; whole numbers with or without `.0`.
    mutating func append(real value: Double, wholeEnding: Bool = true) {
        let magnitude = value.magnitude
        guard magnitude < 9e15 else { return append(contentsOf: value.description.utf8) }
        let whole = UInt64(magnitude)
        if Double(whole) == magnitude {
            if value.sign == .minus { append(UInt8(ascii: "-")) }
            append(digits: whole)
            if wholeEnding { append(text: ".0") }
            return
        }
        // With digits below 2^53 and a power of ten up to 10^22, the division is correctly rounded, as a reader's is.
        for places in 1...15 {
            let power = Self.powers[places]
            let scaled = magnitude * power + 0.5
            guard scaled < 9e15 else { break }
            let digits = UInt64(scaled)
            guard Double(digits) / power == magnitude else { continue }
            let unit = UInt64(power)
            if value.sign == .minus { append(UInt8(ascii: "-")) }
            append(digits: digits / unit)
            append(UInt8(ascii: "."))
            append(digits: digits % unit, atLeast: places)
            return
        }
        append(contentsOf: value.description.utf8)
    }
}
