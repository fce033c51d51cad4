import KeyedArchives

/// Numbers in strings.
enum NumberText {
    /// Returns the whole text as a number, an integer if possible; nil if it is not a number. Surrounding white space
    /// is allowed.
    static func whole(_ text: String) -> ExpressionValue? {
        if let (number, end) = plain(text.utf8.span), text.utf8.dropFirst(end).allSatisfy(isSpace) { return number }
        return unusual(text)
    }

    private static func unusual(_ text: String) -> ExpressionValue? {
        var bytes = text.utf8[...]
        while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        guard let first = bytes.first, bytes.count < 400, first != UInt8(ascii: "+") || bytes.count > 1,
            bytes.allSatisfy(isNumeric)
        else { return nil }
        let digits = String(Substring(bytes))
        if let integer = Int64(digits) { return .integer(integer) }
        guard let real = Double(digits), real.isFinite else { return nil }
        return .real(real)
    }

    /// Returns the number at the beginning of a text; 0 if there is none.
    static func leading(_ text: String) -> ExpressionValue {
        if let (number, _) = plain(text.utf8.span) { return number }
        let candidates = text.utf8.drop(while: isSpace).prefix(64).prefix(while: isNumeric)
        for count in stride(from: candidates.count, to: 0, by: -1) {
            if let number = unusual(String(Substring(candidates.prefix(count)))) { return number }
        }
        return .integer(0)
    }

    /// Returns the number at the beginning of a text and its end, if it has few digits and a simple form: both operands
    /// of the quotient are then exact, so the result is the nearest real.
    private static func plain(_ bytes: Span<UInt8>) -> (number: ExpressionValue, end: Int)? {
        var index = 0
        while index < bytes.count, isSpace(bytes[index]) { index += 1 }
        guard index < bytes.count else { return nil }
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
        let start = index
        // The power of ten for the digits after the decimal point; 0 before it.
        var (digits, power): (Int64, Int64) = (0, 0)
        while index < bytes.count {
            let byte = bytes[index]
            if isDigit(byte), digits < 1 << 49, power < 1 << 49, index - start < 32 {
                digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
                power *= 10
            } else if byte == UInt8(ascii: "."), power == 0, index > start {
                power = 1
            } else {
                break
            }
            index += 1
        }
        guard index > start, isDigit(bytes[index - 1]), index == bytes.count || !isNumeric(bytes[index]) else {
            return nil
        }
        if power == 0 { return (.integer(isNegative ? -digits : digits), index) }
        let real = Double(digits) / Double(power)
        return (.real(isNegative ? -real : real), index)
    }

    /// Returns the integer at the beginning of a text, like `longLongValue`: white space, a sign and digits, clamped to
    /// 64 bits; 0 if there are none.
    static func leadingInteger(_ text: String) -> Int64 {
        var bytes = text.utf8.drop(while: isSpace)
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
        var result: Int64 = 0
        for digit in bytes.prefix(while: isDigit) {
            let (tens, overflowsTens) = result.multipliedReportingOverflow(by: 10)
            let value = Int64(digit - UInt8(ascii: "0"))
            let (sum, overflows) = tens.addingReportingOverflow(isNegative ? -value : value)
            guard !overflowsTens, !overflows else { return isNegative ? .min : .max }
            result = sum
        }
        return result
    }

    /// Returns the truth of a text, like `boolValue`: true if it begins with Y, y, T, t or a digit from 1 to 9, after
    /// white space, a sign and zeros.
    static func leadingTruth(_ text: String) -> Bool {
        var bytes = text.utf8.drop(while: isSpace)
        if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { bytes.removeFirst() }
        guard let first = bytes.drop(while: { $0 == UInt8(ascii: "0") }).first else { return false }
        return isDigit(first) || "YyTt".utf8.contains(first)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// Returns whether a byte can be part of a number, excluding the letters of `inf`, `nan` and hexadecimal numbers,
    /// which `Double` accepts, too.
    private static func isNumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
