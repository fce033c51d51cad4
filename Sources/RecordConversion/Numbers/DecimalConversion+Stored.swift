import SQLiteAccess
import TextEncodings

extension DecimalConversion {
    /// Returns a decimal as a column of numeric affinity stores it, an integer or the nearest double; nil if more than
    /// one exact division is needed to determine it, or if digits may be lost.
    ///
    /// So the stored number is correctly rounded with any release of SQLite.
    @inline(__always)
    static func stored(_ digits: DecimalDigits) -> ConvertedValue? {
        guard digits.droppedDigits == 0, -22...0 ~= digits.exponent,
            digits.mantissa < Self.firstInexact || digits.exponent == 0 && digits.mantissa <= 1 << 53
        else { return nil }
        if digits.mantissa == 0 { return .integer(0) }
        let value = Double(digits.mantissa) / RealConversion.power(-digits.exponent)
        let signed = digits.isNegative ? -value : value
        // At most 2^53, so the conversion is exact.
        let whole = Int64(signed)
        return Double(whole) == signed ? .integer(whole) : .real(signed)
    }

    /// Each decimal of up to fifteen digits has a different double; several decimals with more digits may have the same
    /// one.
    private static let firstInexact: UInt64 = 1_000_000_000_000_000

    /// Returns the stored number of a text, in a form that `decimal` accepts.
    static func stored(_ text: Span<UInt8>) -> ConvertedValue? {
        DecimalDigits(text).flatMap { stored($0) }
    }

    /// A decimal as a column of numeric affinity stores it.
    package struct StoredNumber {
        package let value: ConvertedValue
        /// Whether the stored number differs from the decimal.
        package let isRounded: Bool
    }

    /// Returns the stored number of a decimal in the form that `decimal` returns; nil for NaN.
    ///
    /// Keys are compared by this number. Whole numbers of 64 bits are stored exactly, all others as doubles.
    package static func storedNumber(_ text: Span<UInt8>) -> StoredNumber? {
        if let value = stored(text) { return StoredNumber(value: value, isRounded: false) }
        let string = String(copying: text)
        if let whole = Int64(string) { return StoredNumber(value: .integer(whole), isRounded: false) }
        guard let number = Double(string), number.isFinite else { return nil }
        let value: ConvertedValue = Int64(exactly: number).map { .integer($0) } ?? .real(number)
        // The shortest decimal with this double.
        let shortest = Array(number.description.utf8)
        let isSame =
            switch try? decimal(shortest.span) {
            case .part(let part): shortest[part].elementsEqual(string.utf8)
            case .written(let bytes): bytes.elementsEqual(string.utf8)
            case nil: false
            }
        return StoredNumber(value: value, isRounded: !isSame)
    }
}
