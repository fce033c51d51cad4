/// Eight bytes of a text in one integer, for examining all of them together.
public enum ByteWord {
    /// A word whose bytes are all 1: its product with a byte repeats that byte eight times.
    @inlinable public static var each: UInt64 { 0x0101_0101_0101_0101 }
    @inlinable static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    /// Returns a value that is not 0 if any byte of a word is 0. Its lowest bit belongs to the lowest of these bytes;
    /// higher bits may belong to other bytes.
    @inlinable
    public static func zeros(in word: UInt64) -> UInt64 { (word &- each) & ~word & highBits }

    /// Returns a value that is not 0 if any byte of a word is below a limit, which is at most 128; the bits are as for
    /// `zeros(in:)`.
    @inlinable
    public static func bytes(of word: UInt64, below limit: UInt64) -> UInt64 {
        (word &- each &* limit) & ~word & highBits
    }

    /// Returns whether all bytes are ASCII.
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

    /// Returns the eight bytes of a text from an index on; all of them must exist.
    @inlinable
    public static func word(of text: Span<UInt8>, at index: Int) -> UInt64 {
        precondition(index >= 0 && index + 8 <= text.count)
        return text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
    }
}
