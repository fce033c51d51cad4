/// Reads a property list in any format.
public enum PropertyListReader {
    /// Returns the format that the first bytes indicate; text that is not XML is taken for OpenStep's.
    public static func format(of bytes: [UInt8]) -> PropertyListFormat {
        if bytes.starts(with: BinaryPropertyListScanner.magic) {
            return .binary
        }
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            let text = ByteOrderMark.utf8(of: bytes)
            return text.first { !isSpace($0) } == UInt8(ascii: "<") && !isData(text) ? .xml : .openStep
        }
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard let first = content.firstIndex(where: { !isSpace($0) }), content[first] == UInt8(ascii: "<") else {
            return .openStep
        }
        return isData(content[first...]) ? .openStep : .xml
    }

    /// Reads the value; hostile input results in an error, never in a crash or unbounded work.
    /// - Throws: `PropertyListError` with the location where the input is malformed or exceeds a limit.
    public static func value(
        from bytes: [UInt8], limits: PropertyListLimits? = nil
    ) throws(PropertyListError) -> PropertyListValue {
        switch format(of: bytes) {
        case .binary: try BinaryPropertyListReader.value(from: bytes, limits: limits)
        case .xml: try XMLPropertyListReader.value(from: bytes, limits: limits)
        case .openStep: try OpenStepPropertyListReader.value(from: bytes, limits: limits)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// Returns whether this is data, which OpenStep writes as `<0fbd77>`: a hexadecimal digit, an asterisk or the end
    /// follows, instead of an XML name.
    private static func isData(_ content: some Collection<UInt8>) -> Bool {
        guard let next = content.dropFirst().first(where: { !isSpace($0) }) else { return false }
        switch next {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: ">"): return true
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
            // `<array>`, `<data>`, `<dict>`, `<date>`, `<false/>` also begin with such letters.
            let name = content.dropFirst().prefix { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
            return name.allSatisfy { isSpace($0) || HexadecimalDigit.value(of: $0) != nil }
        default: return false
        }
    }
}
