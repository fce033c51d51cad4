import TextEncodings

/// Constants in SQL text, for the places where SQLite takes no parameter (defaults, pragmas, views).
public enum SQLiteLiteral {
    /// A string constant: single quotes, inner ones doubled. Text with a NUL becomes `CAST(X'...' AS TEXT)`.
    ///
    /// The cast reads the bytes in the database's encoding, so that text with NULs is right in UTF-8 databases only.
    public static func string(_ string: String) -> String {
        string.utf8.contains(0)
            ? castText(Array(string.utf8))
            : enclosed(string, in: "'")
    }

    /// A blob constant: `X'0A1B'`.
    public static func blob(_ bytes: [UInt8]) -> String {
        var text = Array("X'".utf8)
        text.reserveCapacity(bytes.count * 2 + 3)
        text.append(hexadecimal: bytes.span)
        text.append(UInt8(ascii: "'"))
        return String(decoding: text, as: UTF8.self)
    }

    static func castText(_ bytes: [UInt8]) -> String {
        "CAST(\(blob(bytes)) AS TEXT)"
    }

    /// Works on scalars: a quote with a combining mark after it is one character, and must be doubled all the same.
    static func enclosed(_ text: String, in quote: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView()
        result.append(quote)
        for scalar in text.unicodeScalars {
            if scalar == quote { result.append(quote) }
            result.append(scalar)
        }
        result.append(quote)
        return String(result)
    }
}
