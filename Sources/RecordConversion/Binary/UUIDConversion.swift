import TextEncodings

/// Converts texts to the sixteen bytes of a UUID.
enum UUIDConversion {
    /// Parses thirty-two hexadecimal digits, with four hyphens or none, optionally in braces or after `urn:uuid:`.
    static func uuid(_ given: Span<UInt8>) throws(ConversionFailure) -> [UInt8] {
        let part = undressed(given)
        let text = given.extracting(part)
        guard text.count == 36 || text.count == 32 else { throw ConversionFailure(.notAUUID) }
        let hasHyphens = text.count == 36
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        var index = 0
        while index < text.count {
            if hasHyphens && (index == 8 || index == 13 || index == 18 || index == 23) {
                guard text[index] == UInt8(ascii: "-") else { throw ConversionFailure(.notAUUID, at: index) }
                index += 1
            }
            guard index + 1 < text.count, let high = Hexadecimal.value(ofDigit: text[index]),
                let low = Hexadecimal.value(ofDigit: text[index + 1])
            else { throw ConversionFailure(.notAUUID, at: part.lowerBound + index) }
            bytes.append(high << 4 | low)
            index += 2
        }
        return bytes
    }

    private static func undressed(_ text: Span<UInt8>) -> Range<Int> {
        let count = text.count
        if count == 38, text[0] == UInt8(ascii: "{"), text[37] == UInt8(ascii: "}") { return 1..<37 }
        let prefix: StaticString = "urn:uuid:"
        if count == 45 {
            let matches = prefix.withUTF8Buffer { prefix in
                prefix.indices.allSatisfy { text[$0] | 0x20 == prefix[$0] | 0x20 }
            }
            if matches { return 9..<45 }
        }
        return 0..<count
    }
}
