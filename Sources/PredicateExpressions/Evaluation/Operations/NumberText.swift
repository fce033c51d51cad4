import KeyedArchives

/// Numbers in strings.
enum NumberText {
    /// The whole text as a number, an integer where it is one; nil if it is not one. White space around it is allowed.
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

    /// The number that a text begins with; 0 if it begins with none.
    static func leading(_ text: String) -> ExpressionValue {
        if let (number, _) = plain(text.utf8.span) { return number }
        let candidates = text.utf8.drop(while: isSpace).prefix(64).prefix(while: isNumeric)
        for count in stride(from: candidates.count, to: 0, by: -1) {
            if let number = unusual(String(Substring(candidates.prefix(count)))) { return number }
        }
        return .integer(0)
    }

    /// The number that a text begins with, and its end, if it has few digits and nothing else of a number follows: what
    /// the quotient is made of is exact, so that it is the nearest real.
    private static func plain(_ bytes: Span<UInt8>) -> (number: ExpressionValue, end: Int)? {
        var index = 0
        while index < bytes.count, isSpace(bytes[index]) { index += 1 }
        guard index < bytes.count else { return nil }
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
        let start = index
        // The power of ten behind the point; 0 before it.
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

    /// The integer that a text begins with, as `longLongValue` reads it: digits behind white space and a sign, held
    /// within 64 bits; 0 if there are none.
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

    /// As `boolValue` reads a text: true if it begins with Y, y, T, t or a digit from 1 to 9, behind white space, a
    /// sign and zeroes.
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

    /// Not the letters of `inf`, `nan` and hexadecimal numbers, which `Double` reads too.
    private static func isNumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
