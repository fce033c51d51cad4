import TextEncodings

extension ValueConversion {
    /// Returns whether a text is valid for URI attributes.
    package static func isURI(_ text: String) -> Bool { (try? URIConversion.validate(Array(text.utf8).span)) != nil }
}

/// Checks whether a text is a URI reference of RFC 3986, which NSURL accepts without changing it.
enum URIConversion {
    static func validate(_ text: Span<UInt8>) throws(ConversionFailure) {
        guard text.count > 0 else { throw ConversionFailure(.notAURI) }
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < text.count, Hexadecimal.value(ofDigit: text[index + 1]) != nil,
                    Hexadecimal.value(ofDigit: text[index + 2]) != nil
                else { throw ConversionFailure(.notAURI, at: index) }
                index += 3
                continue
            }
            guard isAllowed(byte) else { throw ConversionFailure(.notAURI, at: index) }
            index += 1
        }
        try validateScheme(text)
    }

    /// Returns whether a byte is an unreserved character or a delimiter. Spaces, control characters, quotes, other
    /// brackets and non-ASCII bytes are not allowed.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        case UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "@"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Checks the scheme: if the first segment contains a colon, the text before it must be a letter, followed by
    /// letters, digits or `+-.`.
    private static func validateScheme(_ text: Span<UInt8>) throws(ConversionFailure) {
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: ":"):
                if index == 0 { throw ConversionFailure(.notAURI) }
                return
            case 0x41...0x5A, 0x61...0x7A: continue
            case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                if index > 0 { continue }
                return try validateNoColon(text)
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return
            default: return try validateNoColon(text)
            }
        }
    }

    /// Checks that the first segment of a relative reference does not contain a colon.
    private static func validateNoColon(_ text: Span<UInt8>) throws(ConversionFailure) {
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: ":"): throw ConversionFailure(.notAURI, at: index)
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return
            default: continue
            }
        }
    }
}
