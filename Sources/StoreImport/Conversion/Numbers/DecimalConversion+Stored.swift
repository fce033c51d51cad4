import SQLiteAccess

extension DecimalConversion {
    /// A decimal as a column of numeric affinity holds it, an integer or the nearest double; nil where that takes more
    /// than one exact division to tell: SQLite then finds it out from the digits.
    ///
    /// What is stored is so the correctly rounded number, with any release of SQLite.
    @inline(__always)
    static func stored(_ digits: DecimalDigits) -> ConvertedValue? {
        guard digits.droppedDigits == 0, digits.mantissa <= 1 << 53, -22...0 ~= digits.exponent else { return nil }
        if digits.mantissa == 0 { return .integer(0) }
        let value = Double(digits.mantissa) / RealConversion.power(-digits.exponent)
        let signed = digits.isNegative ? -value : value
        // 2^53 at the most: the conversion is exact.
        let whole = Int64(signed)
        return Double(whole) == signed ? .integer(whole) : .real(signed)
    }

    /// The same of a text, in a form that `decimal` accepts.
    static func stored(_ text: Span<UInt8>) -> ConvertedValue? {
        DecimalDigits(text).flatMap { stored($0) }
    }
}
