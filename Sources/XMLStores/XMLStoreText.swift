/// The escapes inside the texts of XML stores: `\uXXXX`, a UTF-16 code unit with its low byte first.
///
/// Known from files: `<` is `\u3c00`, `>` is `\u3e00`. All other text is literal.
public enum XMLStoreText {
    /// Returns the text unescaped. A lone surrogate becomes U+FFFD.
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
            if bytes[index] == UInt8(ascii: "\\"), let unit = codeUnit(in: bytes.span, at: index) {
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

    /// Returns the text escaped for a file: without markup, control characters, or anything that would be read as an
    /// escape.
    public static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        _ = appendEscaped(text.utf8.span, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
