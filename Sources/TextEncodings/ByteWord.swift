/// Eight bytes of a text in one integer, all of which are looked at together.
public enum ByteWord {
    /// A byte of 1, eight times: its product with a byte is that byte, eight times.
    @inlinable public static var each: UInt64 { 0x0101_0101_0101_0101 }
    @inlinable static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    /// Not 0 if a byte of a word is 0. The lowest bit belongs to the lowest of these; one above it may belong to a byte
    /// that is not 0.
    @inlinable
    public static func zeros(in word: UInt64) -> UInt64 { (word &- each) & ~word & highBits }

    /// Not 0 if a byte of a word is below a limit, which is 128 at the most; the bits are as those of `zeros(in:)`.
    @inlinable
    public static func bytes(of word: UInt64, below limit: UInt64) -> UInt64 {
        (word &- each &* limit) & ~word & highBits
    }

    /// Whether each byte is ASCII.
    @inlinable
    public static func isASCII(_ text: Span<UInt8>) -> Bool {
        var index = 0
        while index + 8 <= text.count {
            if word(of: text, at: index) & highBits != 0 { return false }
            index += 8
        }
        while index < text.count {
            if text[index] >= 0x80 { return false }
            index += 1
        }
        return true
    }

    /// The eight bytes of a text from one on; all of them must be there.
    @inlinable
    public static func word(of text: Span<UInt8>, at index: Int) -> UInt64 {
        precondition(index >= 0 && index + 8 <= text.count)
        return text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
    }
}
