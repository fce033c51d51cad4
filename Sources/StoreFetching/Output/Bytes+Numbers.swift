import SQLiteAccess
import TextEncodings

/// Numbers as text at the end of a buffer, without a `String` in between where that can be.
extension [UInt8] {
    mutating func append(integer value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(digits: value.magnitude)
    }

    /// - Parameter count: the fewest digits; zeros come before.
    mutating func append(digits value: UInt64, atLeast count: Int = 1) {
        var length = 1
        var limit: UInt64 = 10
        while length < 20, value >= limit {
            length += 1
            let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
            guard !overflow else { break }
            limit = next
        }
        let start = self.count
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: Swift.max(length, count)))
        var rest = value
        var index = self.count - 1
        while rest > 0, index >= start {
            self[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            index -= 1
        }
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
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

    /// A date of ISO 8601, UTC, with as many digits of the second as the exact value needs; false where there are none.
    ///
    /// - Parameter value: seconds since 2001.
    mutating func append(date value: Double) -> Bool {
        // The years 0 to 9999.
        guard value >= -63_145_526_400, value < 252_423_993_600 else { return false }
        var whole = Int64(value)
        if Double(whole) > value { whole -= 1 }
        let fraction = value - Double(whole)
        var places = 0
        var digits: UInt64 = 0
        if fraction != 0 {
            places = 1
            while true {
                let power = Self.powers[places]
                digits = UInt64(fraction * power + 0.5)
                // As a reader computes it.
                if digits < UInt64(power), Double(digits) / power + Double(whole) == value { break }
                places += 1
                guard places < 18 else { return false }
            }
        }
        append(secondsSince2001: Int(whole))
        if places > 0 {
            append(UInt8(ascii: "."))
            append(digits: digits, atLeast: places)
        }
        append(UInt8(ascii: "Z"))
        return true
    }
}
