import KeyedArchives

/// Numbers in strings.
enum NumberText {
    /// The whole text as a number, an integer where it is one; nil where it is none. White space around it is allowed.
    static func whole(_ text: String) -> ExpressionValue? {
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

    /// The number that a text begins with; 0 where it begins with none.
    static func leading(_ text: String) -> ExpressionValue {
        let candidates = text.utf8.drop(while: isSpace).prefix(64).prefix(while: isNumeric)
        for count in stride(from: candidates.count, to: 0, by: -1) {
            if let number = whole(String(Substring(candidates.prefix(count)))) { return number }
        }
        return .integer(0)
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
