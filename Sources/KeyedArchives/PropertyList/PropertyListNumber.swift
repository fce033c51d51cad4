/// Numbers in the format of the text formats.
public enum PropertyListNumber {
    /// Returns a decimal or, after `0x`, a hexadecimal integer with an optional sign; nil if it is neither, or beyond
    /// 128 bits.
    public static func integer(_ text: some StringProtocol) -> PropertyListValue? {
        let trimmed = trim(text)
        let isNegative = trimmed.hasPrefix("-")
        let digits = isNegative || trimmed.hasPrefix("+") ? trimmed.dropFirst() : trimmed
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        let number = isHexadecimal ? digits.dropFirst(2) : digits
        // `Int128(_:radix:)` would accept a second sign.
        guard let first = number.utf8.first, HexadecimalDigit.value(of: first) != nil,
            let value = Int128((isNegative ? "-" : "") + number, radix: isHexadecimal ? 16 : 10)
        else { return nil }
        return PropertyListValue(value)
    }

    /// Parses a real number in decimal notation, or one of the names of infinity and NaN; nil for other texts.
    public static func real(_ text: some StringProtocol) -> Double? {
        let trimmed = trim(text)
        switch trimmed.lowercased() {
        case "nan", "+nan", "-nan": return .nan
        case "inf", "+inf", "infinity", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        default:
            guard trimmed.utf8.allSatisfy({ "+-.eE0123456789".utf8.contains($0) }) else { return nil }
            return Double(trimmed)
        }
    }

    private static func trim(_ text: some StringProtocol) -> Substring {
        var trimmed = Substring(text)
        while let first = trimmed.utf8.first, first <= 0x20 { trimmed.removeFirst() }
        while let last = trimmed.utf8.last, last <= 0x20 { trimmed.removeLast() }
        return trimmed
    }
}
