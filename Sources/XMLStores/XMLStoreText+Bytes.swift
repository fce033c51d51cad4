import TextEncodings

/// Escapes and unescapes texts of XML stores as bytes, without intermediate strings.
///
/// Lone surrogates, which are possible in a string of Core Data but not in UTF-8, are kept as the three bytes that
/// UTF-8 would have for them.
extension XMLStoreText {
    /// Appends an unescaped text.
    public static func appendUnescaped(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
        var index = 0
        var plainStart = 0
        /// The high surrogate that the escape before this position represents.
        var pending: UInt16?
        while index < text.count {
            guard text[index] == UInt8(ascii: "\\"), let unit = codeUnit(in: text, at: index) else {
                if let half = pending { bytes.append(codePoint: UInt32(half)) }
                pending = nil
                index += 1
                continue
            }
            append(text, plainStart..<index, to: &bytes)
            index += 6
            plainStart = index
            if let half = pending, 0xDC00...0xDFFF ~= unit {
                bytes.append(codePoint: 0x10000 + (UInt32(half) - 0xD800) << 10 + (UInt32(unit) - 0xDC00))
                pending = nil
                continue
            }
            if let half = pending { bytes.append(codePoint: UInt32(half)) }
            pending = nil
            if 0xD800...0xDBFF ~= unit { pending = unit } else { bytes.append(codePoint: UInt32(unit)) }
        }
        if let half = pending { bytes.append(codePoint: UInt32(half)) }
        append(text, plainStart..<text.count, to: &bytes)
    }

    /// Appends a text escaped for a file; returns false if some of its bytes are not text, and became U+FFFD.
    public static func appendEscaped(_ text: Span<UInt8>, to bytes: inout [UInt8]) -> Bool {
        var isText = true
        var index = 0
        var plainStart = 0
        while index < text.count {
            let byte = text[index]
            if isPlain[Int(byte)] {
                index += 1
                continue
            }
            var length = 1
            var scalar = UInt32(byte)
            if byte >= 0x80 {
                (scalar, length) = decode(text, at: index)
                // All characters except surrogates, and the two that XML forbids, need no escape.
                if length > 0, !(0xD800...0xDFFF ~= scalar), scalar != 0xFFFE, scalar != 0xFFFF {
                    index += length
                    continue
                }
            }
            append(text, plainStart..<index, to: &bytes)
            if length == 0 {
                isText = false
                length = 1
                bytes.append(codePoint: 0xFFFD)
            } else {
                appendEscape(UInt16(truncatingIfNeeded: scalar), to: &bytes)
            }
            index += length
            plainStart = index
        }
        append(text, plainStart..<text.count, to: &bytes)
        return isText
    }

    /// The ASCII characters that need no escape.
    private static let isPlain: [Bool] = (0...255).map { byte in
        byte == 9 || byte == 10
            || 0x20..<0x80 ~= byte && !"<>&\\".utf8.contains(UInt8(byte))
    }

    private static func append(_ text: Span<UInt8>, _ range: Range<Int>, to bytes: inout [UInt8]) {
        bytes.append(copying: text.extracting(range))
    }

    /// Returns the code point at an index and its length in bytes; a length of 0 if there is no well-formed one.
    private static func decode(_ text: Span<UInt8>, at index: Int) -> (scalar: UInt32, length: Int) {
        let lead = text[index]
        let (length, smallest): (Int, UInt32) =
            switch lead {
            case 0xC2...0xDF: (2, 0x80)
            case 0xE0...0xEF: (3, 0x800)
            case 0xF0...0xF4: (4, 0x10000)
            default: (0, 0)
            }
        guard length > 0, index + length <= text.count else { return (0, 0) }
        var scalar = UInt32(lead) & (0x7F >> UInt32(length))
        for offset in 1..<length {
            let byte = text[index + offset]
            guard byte & 0xC0 == 0x80 else { return (0, 0) }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        return scalar >= smallest && scalar <= 0x10FFFF ? (scalar, length) : (0, 0)
    }

    private static func appendEscape(_ unit: UInt16, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(UInt8(ascii: "u"))
        for shift in [4, 0, 12, 8] as [UInt16] {
            let digit = UInt8(truncatingIfNeeded: unit >> shift & 0xF)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    static func codeUnit(in text: Span<UInt8>, at index: Int) -> UInt16? {
        guard index + 6 <= text.count, text[index + 1] == UInt8(ascii: "u") else { return nil }
        var value: UInt16 = 0
        for place in index + 2..<index + 6 {
            guard let digit = Hexadecimal.value(ofDigit: text[place]) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value.byteSwapped
    }
}
