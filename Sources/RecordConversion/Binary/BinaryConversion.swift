import TextEncodings

/// Texts as the bytes that they encode.
public enum BinaryConversion: Equatable, Sendable {
    /// Base 64 of RFC 4648, in either alphabet.
    case base64
    /// Two hexadecimal digits for each byte.
    case hexadecimal
    /// The bytes of the text itself, as UTF-8.
    case text
    /// The content of a file that the text names.
    case file(BinaryFolder)
    /// What a value transformer makes of a value: whoever knows the attribute asks for it.
    case archive(ArchiveForm)

    func bytes(_ text: Span<UInt8>) throws(ConversionFailure) -> [UInt8] {
        switch self {
        case .base64: try BinaryConversion.base64(text)
        case .hexadecimal: try BinaryConversion.hexadecimal(text)
        case .text: text.indices.map { text[$0] }
        case .file(let folder): try folder.content(of: text)
        case .archive: throw ConversionFailure(.notArchivable)
        }
    }

    /// Refuses numbers and Booleans where the digits of any number would stand for some bytes.
    func refuseNumbers() throws(ConversionFailure) {
        switch self {
        case .base64: throw ConversionFailure(.notBase64)
        case .hexadecimal: throw ConversionFailure(.notHexadecimal)
        case .text, .file, .archive: break
        }
    }

    /// Base64 of RFC 4648, both alphabets, with padding or without; white space between is skipped.
    static func base64(_ text: Span<UInt8>) throws(ConversionFailure) -> [UInt8] {
        do {
            return try Base64.decode(text, .alphabet)
        } catch {
            throw ConversionFailure(.notBase64, at: error.offset)
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
