/// Text in XML documents.
public enum XMLText {
    /// Returns the text escaped for an element or a quoted attribute value, so that a reader returns the original.
    ///
    /// Line ends and tabs are written as character references, because readers replace them by other white space;
    /// characters that XML forbids become U+FFFD.
    public static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
