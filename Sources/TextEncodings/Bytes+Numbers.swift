/// Numbers as decimal digits at the end of a buffer, without a `String` in between.
extension [UInt8] {
    /// Appends a number in decimal, with a minus sign if it is negative.
    public mutating func append(integer value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(digits: value.magnitude)
    }

    /// Appends a number without a sign in decimal.
    /// - Parameters:
    ///   - value: the number.
    ///   - count: the fewest digits; zeros come before.
    public mutating func append(digits value: UInt64, atLeast count: Int = 1) {
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
}
