/// Text as XML documents hold it.
public enum XMLText {
    /// The text for an element or between the quotation marks of an attribute, so that a reader gives it back.
    ///
    /// Line ends and tabs are written as numbers, because readers make other white space of them; what XML cannot have
    /// at all becomes U+FFFD.
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
