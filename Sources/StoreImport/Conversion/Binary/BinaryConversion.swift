import TextEncodings

/// Texts as the bytes that they encode.
public enum BinaryConversion: Equatable, Sendable {
    case base64
    case hexadecimal
    /// The bytes of the text itself, as UTF-8.
    case text
    /// The content of a file that the text names.
    case file(BinaryFolder)

    func bytes(_ text: Span<UInt8>) throws(ConversionFailure) -> [UInt8] {
        switch self {
        case .base64: try BinaryConversion.base64(text)
        case .hexadecimal: try BinaryConversion.hexadecimal(text)
        case .text: text.indices.map { text[$0] }
        case .file(let folder): try folder.content(of: text)
        }
    }

    /// Base64 of RFC 4648, both alphabets, with padding or without; white space between is passed over.
    static func base64(_ text: Span<UInt8>) throws(ConversionFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 3)
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for index in text.indices {
            let byte = text[index]
            if byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { continue }
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let sextet = base64Digit(byte) else { throw ConversionFailure(.notBase64, at: index) }
            bits = bits << 6 | UInt32(sextet)
            count += 1
            if count % 4 == 0 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                bytes.append(UInt8(truncatingIfNeeded: bits))
            }
        }
        let rest = count % 4
        guard rest != 1, padding == 0 || padding == (4 - rest) % 4 else {
            throw ConversionFailure(.notBase64, at: text.count)
        }
        if rest == 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> 4)) }
        if rest == 3 {
            bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        }
        return bytes
    }

    private static func base64Digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x61 + 26
        case 0x30...0x39: byte - 0x30 + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }

    /// Pairs of hexadecimal digits, bare, as `0x…`, `\x…` or `X'…'`.
    static func hexadecimal(_ text: Span<UInt8>) throws(ConversionFailure) -> [UInt8] {
        var index = 0
        var end = text.count
        if end >= 2, text[1] | 0x20 == UInt8(ascii: "x"), text[0] == 0x30 || text[0] == UInt8(ascii: "\\") {
            index = 2
        } else if end >= 3, text[0] | 0x20 == UInt8(ascii: "x"), text[1] == UInt8(ascii: "'"),
            text[end - 1] == UInt8(ascii: "'")
        {
            index = 2
            end -= 1
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity((end - index) / 2)
        while index < end {
            guard index + 1 < end, let high = Hexadecimal.value(ofDigit: text[index]),
                let low = Hexadecimal.value(ofDigit: text[index + 1])
            else { throw ConversionFailure(.notHexadecimal, at: index) }
            bytes.append(high << 4 | low)
            index += 2
        }
        return bytes
    }
}
