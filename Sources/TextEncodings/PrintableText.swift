/// Makes texts safe for showing them in a terminal.
///
/// Names in models and stores can contain anything: escape sequences that change colors, move the cursor or rename the
/// window, and marks that change the direction of the following text.
public enum PrintableText {
    /// Returns the text with control characters and direction marks written like `\u001B`. Line ends and tabs stay.
    ///
    /// This is the notation of JSON, so a JSON document keeps its meaning.
    public static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { isSuspicious($0) }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isShown(scalar) {
                result.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result.append(
                    contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
            }
        }
        return String(result)
    }

    /// Returns the text on one line: line ends and tabs are written as `\n` and `\t` too.
    public static func line(_ text: String) -> String {
        let text = escaped(text)
        guard text.utf8.contains(where: { $0 == 10 || $0 == 9 }) else { return text }
        return text.replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    }

    /// Returns whether a byte is, or may begin, a character that must not be shown.
    private static func isSuspicious(_ byte: UInt8) -> Bool {
        switch byte {
        case 9, 10: false
        case 0..<0x20, 0x7F, 0xC2, 0xD8, 0xE2: true
        default: false
        }
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 9, 10: true
        case 0..<0x20, 0x7F...0x9F: false
        default: !scalar.properties.isBidiControl
        }
    }
}
