/// The escapes inside the texts of XML stores: `\uXXXX`, a UTF-16 code unit with its low byte first.
///
/// Known from files: `<` is `\u3c00`, `>` is `\u3e00`. What stands between the escapes is the text itself.
public enum XMLStoreText {
    /// The text with its escapes undone. A half of a surrogate pair without the other becomes U+FFFD.
    public static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        let bytes = Array(text.utf8)
        var units: [UInt16] = []
        var result = ""
        var plain: [UInt8] = []
        var index = 0
        func flushUnits() {
            result += String(decoding: units, as: UTF16.self)
            units.removeAll(keepingCapacity: true)
        }
        func flushPlain() {
            result += String(decoding: plain, as: UTF8.self)
            plain.removeAll(keepingCapacity: true)
        }
        while index < bytes.count {
            if let unit = codeUnit(in: bytes, at: index) {
                flushPlain()
                units.append(unit)
                index += 6
            } else {
                flushUnits()
                plain.append(bytes[index])
                index += 1
            }
        }
        flushPlain()
        flushUnits()
        return result
    }

    /// The text as a file holds it: without markup, control characters and anything that would read as an escape.
    public static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: needsEscape) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "<", ">", "&", "\\", "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
                for unit in String(scalar).utf16 { result += escape(unit) }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        // 0xEF begins the two characters that XML forbids, among others.
        byte < 0x20 || byte == 0xEF || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
            || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit.byteSwapped, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func codeUnit(in bytes: [UInt8], at index: Int) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        var value: UInt16 = 0
        for byte in bytes[index + 2..<index + 6] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt16(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt16(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt16(byte - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
        return value.byteSwapped
    }
}
