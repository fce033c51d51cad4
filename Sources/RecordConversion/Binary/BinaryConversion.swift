import TextEncodings

/// The way in which texts represent bytes.
public enum BinaryConversion: Equatable, Sendable {
    /// Base64 of RFC 4648, in either alphabet.
    case base64
    /// Two hexadecimal digits for each byte.
    case hexadecimal
    /// The bytes of the text itself, in UTF-8.
    case text
    /// The contents of a file that the text names.
    case file(BinaryFolder)
    /// The bytes that a value transformer creates from a value. Only callers that know the attribute can create them.
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

    /// Throws an error if the digits of numbers would be misread as encoded bytes.
    func refuseNumbers() throws(ConversionFailure) {
        switch self {
        case .base64: throw ConversionFailure(.notBase64)
        case .hexadecimal: throw ConversionFailure(.notHexadecimal)
        case .text, .file, .archive: break
        }
    }

    /// Decodes Base64 of RFC 4648, in either alphabet, with or without padding; white space is skipped.
    static func base64(_ text: Span<UInt8>) throws(ConversionFailure) -> [UInt8] {
        do {
            return try Base64.decode(text, .alphabet)
        } catch {
            throw ConversionFailure(.notBase64, at: error.offset)
        }
    }

    /// Decodes pairs of hexadecimal digits, with or without the notations `0x…`, `\x…` and `X'…'`.
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
