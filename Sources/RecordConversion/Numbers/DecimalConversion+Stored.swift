import SQLiteAccess
import TextEncodings

extension DecimalConversion {
    /// A decimal as a column of numeric affinity holds it, an integer or the nearest double; nil if that takes more
    /// than one exact division to tell, and where digits may be lost.
    ///
    /// What is stored is so the correctly rounded number, with any release of SQLite.
    @inline(__always)
    static func stored(_ digits: DecimalDigits) -> ConvertedValue? {
        guard digits.droppedDigits == 0, -22...0 ~= digits.exponent,
            digits.mantissa < Self.firstInexact || digits.exponent == 0 && digits.mantissa <= 1 << 53
        else { return nil }
        if digits.mantissa == 0 { return .integer(0) }
        let value = Double(digits.mantissa) / RealConversion.power(-digits.exponent)
        let signed = digits.isNegative ? -value : value
        // 2^53 at the most: the conversion is exact.
        let whole = Int64(signed)
        return Double(whole) == signed ? .integer(whole) : .real(signed)
    }

    /// Every decimal of fifteen digits has a double of its own; of those with more, several may have the same.
    private static let firstInexact: UInt64 = 1_000_000_000_000_000

    /// The same of a text, in a form that `decimal` accepts.
    static func stored(_ text: Span<UInt8>) -> ConvertedValue? {
        DecimalDigits(text).flatMap { stored($0) }
    }

    /// What a column of numeric affinity makes of a decimal.
    package struct StoredNumber {
        package let value: ConvertedValue
        /// Whether the number has other digits than the decimal.
        package let isRounded: Bool
    }

    /// What a store holds of a decimal in the form that `decimal` gives; nil for the one that is not a number.
    ///
    /// It is the number that keys are compared by. Whole numbers of 64 bits are held exactly, all others as a double.
    package static func storedNumber(_ text: Span<UInt8>) -> StoredNumber? {
        if let value = stored(text) { return StoredNumber(value: value, isRounded: false) }
        let string = String(copying: text)
        if let whole = Int64(string) { return StoredNumber(value: .integer(whole), isRounded: false) }
        guard let number = Double(string), number.isFinite else { return nil }
        let value: ConvertedValue = Int64(exactly: number).map { .integer($0) } ?? .real(number)
        // The shortest decimal that has this double.
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
