import TextEncodings

/// The escapes of XML stores on bytes, without strings in between.
///
/// Halves of surrogate pairs, which a string of Core Data may have and UTF-8 has not, pass through as the three bytes
/// that UTF-8 would have for them.
extension XMLStoreText {
    /// Appends a text with its escapes undone.
    public static func appendUnescaped(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
        var index = 0
        var plainStart = 0
        /// The first half of a pair that the escape before this place stands for.
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

    /// Appends a text as a file holds it; false if some of its bytes are not text, which became U+FFFD.
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
                // All but surrogates and the two that XML forbids stand for themselves.
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

    /// ASCII that needs no escape.
    private static let isPlain: [Bool] = (0...255).map { byte in
        byte == 9 || byte == 10
            || 0x20..<0x80 ~= byte && !"<>&\\".utf8.contains(UInt8(byte))
    }

    private static func append(_ text: Span<UInt8>, _ range: Range<Int>, to bytes: inout [UInt8]) {
        bytes.append(copying: text.extracting(range))
    }

    /// The code point at a place and its length in bytes; 0 if there is no well-formed one.
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
