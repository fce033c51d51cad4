/// Writes texts so that YAML reads them back: plain if that is safe, in single quotes, or in double quotes with
/// escapes.
public enum YAMLScalarText {
    /// Returns a scalar for a separate line, or after a key; YAML always reads it as text.
    public static func scalar(_ text: String) -> String {
        guard text.unicodeScalars.allSatisfy(isPrintable) else { return doubleQuoted(text) }
        return isPlain(text) ? text : singleQuoted(text)
    }

    /// Returns a scalar for use inside brackets or braces, where more characters have a meaning.
    public static func flowScalar(_ text: String) -> String {
        guard text.unicodeScalars.allSatisfy(isPrintable) else { return doubleQuoted(text) }
        return isPlain(text) && !text.contains(where: { ",:[]{}?\"'".contains($0) }) ? text : singleQuoted(text)
    }

    /// Returns a text on one line after `# `, with spaces instead of characters that would end the comment.
    public static func comment(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            isPrintable(scalar) ? scalar : scalar.value < 0x20 || isLineEnd(scalar) ? " " : "\u{FFFD}"
        }
        return "# " + String(String.UnicodeScalarView(scalars))
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0x85 || scalar.value == 0x2028 || scalar.value == 0x2029
    }

    /// Returns whether a character may be written literally: neither a line break of YAML nor a forbidden character.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...: true
        default: false
        }
    }

    /// Returns whether a text consists of words, or is an expression that begins with a variable, so that YAML does not
    /// take it for a number, a flag or a mark.
    private static func isPlain(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, scalars.last != ":", scalars.last != " ",
            !["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        else { return false }
        var previous = first
        for scalar in scalars {
            if previous == ":" && scalar == " " || previous == " " && scalar == "#" { return false }
            previous = scalar
        }
        switch first {
        case "a"..."z", "A"..."Z", "_", "$": return true
        default: return false
        }
    }

    private static func singleQuoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    private static func doubleQuoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case " "..."~": result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }
        }
        return result + "\""
    }
}
