import TextEncodings

/// A short name for a text, by which a changed one is known: the first 16 bytes of its SHA-256, in hexadecimal digits.
public enum TextDigest {
    /// The digest of a text as 32 hexadecimal digits.
    public static func hexadecimal(of text: String) -> String {
        var digest = MessageDigest256()
        digest.update(text)
        return Hexadecimal.encode(Array(digest.finish().prefix(16)))
    }
}
