import TextEncodings

/// The bytes that require quotes in a CSV field; a text is searched for all of them eight bytes at a time.
struct SpecialBytes {
    /// Each byte, repeated eight times.
    private let delimiter: UInt64
    private let quote: UInt64
    private let escape: UInt64

    private static let lineFeed = ByteWord.each * 10
    private static let carriageReturn = ByteWord.each * 13

    /// - Parameter escape: the byte before a quote; nil if quotes are doubled.
    init(_ delimiter: UInt8, _ quote: UInt8, _ escape: UInt8?) {
        self.delimiter = ByteWord.each * UInt64(delimiter)
        self.quote = ByteWord.each * UInt64(quote)
        self.escape = ByteWord.each * UInt64(escape ?? quote)
    }

    func contains(_ byte: UInt8) -> Bool { isAny(in: ByteWord.each * UInt64(byte)) }

    func isAny(in text: Span<UInt8>) -> Bool {
        guard text.count >= 8 else { return isAny(inShort: text) }
        var index = 0
        while index + 8 <= text.count {
            if isAny(in: ByteWord.word(of: text, at: index)) { return true }
            index += 8
        }
        // Some bytes once more, with those behind the last whole word.
        return index < text.count && isAny(in: ByteWord.word(of: text, at: text.count - 8))
    }

    /// The same of fewer bytes than a word has.
    private func isAny(inShort text: Span<UInt8>) -> Bool {
        guard text.count > 0 else { return false }
        var word = ByteWord.each &* UInt64(text[text.count - 1])
        for index in text.indices { word = word << 8 | UInt64(text[index]) }
        return isAny(in: word)
    }

    private func isAny(in word: UInt64) -> Bool {
        let found =
            ByteWord.zeros(in: word ^ delimiter) | ByteWord.zeros(in: word ^ quote) | ByteWord.zeros(in: word ^ escape)
            | ByteWord.zeros(in: word ^ Self.lineFeed) | ByteWord.zeros(in: word ^ Self.carriageReturn)
        return found != 0
    }
}
