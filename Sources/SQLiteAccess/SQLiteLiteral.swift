import TextEncodings

/// Constants in SQL text, for places where SQLite does not allow parameters (defaults, pragmas, views).
public enum SQLiteLiteral {
    /// Returns a string constant: in single quotes, with inner ones doubled. Text with a NUL becomes `CAST(X'...' AS
    /// TEXT)`.
    ///
    /// The cast reads the bytes in the database's encoding, so text with NULs is correct only in UTF-8 databases.
    public static func string(_ string: String) -> String {
        string.utf8.contains(0)
            ? castText(Array(string.utf8))
            : enclosed(string, in: "'")
    }

    /// Returns a blob constant: `X'0A1B'`.
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

    /// Encloses a text in quotes. It processes scalars: a quote followed by a combining mark is one character, but must
    /// be doubled, too.
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
