/// Texts as YAML reads them back: plain where that is safe, in single quotes, or in double quotes with escapes.
public enum YAMLScalarText {
    /// A scalar that stands on a line of its own, or behind a key; never one that YAML takes for anything but text.
    public static func scalar(_ text: String) -> String {
        guard text.unicodeScalars.allSatisfy(isPrintable) else { return doubleQuoted(text) }
        return isPlain(text) ? text : singleQuoted(text)
    }

    /// A scalar inside brackets or braces, where more characters have a meaning.
    public static func flowScalar(_ text: String) -> String {
        guard text.unicodeScalars.allSatisfy(isPrintable) else { return doubleQuoted(text) }
        return isPlain(text) && !text.contains(where: { ",:[]{}?\"'".contains($0) }) ? text : singleQuoted(text)
    }

    /// A text on one line behind `# `: what would end the comment is a space.
    public static func comment(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            isPrintable(scalar) ? scalar : scalar.value < 0x20 || isLineEnd(scalar) ? " " : "\u{FFFD}"
        }
        return "# " + String(String.UnicodeScalarView(scalars))
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0x85 || scalar.value == 0x2028 || scalar.value == 0x2029
    }

    /// What may stand as it is: neither YAML's line breaks nor what it forbids.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...: true
        default: false
        }
    }

    /// Words only, and expressions that begin with a variable: nothing that YAML takes for a number, a flag or a mark.
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
