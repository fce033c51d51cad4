/// Appending numbers as decimal digits, without an intermediate `String`.
extension [UInt8] {
    /// Appends a number in decimal, with a minus sign if it is negative.
    public mutating func append(integer value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(digits: value.magnitude)
    }

    /// Appends an unsigned number in decimal.
    /// - Parameters:
    ///   - value: the number.
    ///   - count: the minimum number of digits, filled with leading zeros.
    public mutating func append(digits value: UInt64, atLeast count: Int = 1) {
        var text = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
        var start = text.count
        var rest = value
        while rest > 0 {
            start -= 1
            text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        if count > text.count { append(contentsOf: repeatElement(UInt8(ascii: "0"), count: count - text.count)) }
        start = Swift.min(start, text.count - Swift.max(1, Swift.min(count, text.count)))
        append(copying: text.span.extracting(start..<text.count))
    }

    /// Appends an unsigned number in decimal, with a decimal point before its last digits and at least one digit before
    /// the point.
    /// - Parameters:
    ///   - value: the number without its decimal point.
    ///   - places: the number of digits after the decimal point, from 1 to 20.
    public mutating func append(digits value: UInt64, places: Int) {
        var text = InlineArray<22, UInt8>(repeating: UInt8(ascii: "0"))
        var start = text.count
        var rest = value
        while rest > 0 || start >= text.count - places - 1 {
            start -= 1
            if start == text.count - places - 1 {
                text[start] = UInt8(ascii: ".")
                continue
            }
            text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        append(copying: text.span.extracting(start..<text.count))
    }
}
