import TextEncodings

/// A short digest that identifies a text: the first 16 bytes of its SHA-256, in hexadecimal digits.
public enum TextDigest {
    /// Returns the digest of a text as 32 hexadecimal digits.
    public static func hexadecimal(of text: String) -> String {
        var digest = MessageDigest256()
        digest.update(text)
        return Hexadecimal.encode(Array(digest.finish().prefix(16)))
    }
}
