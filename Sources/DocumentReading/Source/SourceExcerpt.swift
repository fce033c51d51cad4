/// A part of one line of a document, with a caret below a position.
public struct SourceExcerpt: Sendable, Hashable {
    /// The part of the line, with control characters replaced by spaces.
    public let text: String

    /// The number of characters before the position.
    public let caretOffset: Int

    /// The number of bytes that are shown on either side of the position.
    static let reach = 60

    /// Extracts the line around a byte offset from a document, or from an available part of it.
    init(of bytes: Span<UInt8>, at offset: Int) {
        let position = min(max(offset, 0), bytes.count)
        var start = position
        while start > 0, position - start < Self.reach, !Self.endsLine(bytes[start - 1]) { start -= 1 }
        var end = position
        while end < bytes.count, end - position < Self.reach, !Self.endsLine(bytes[end]) { end += 1 }
        // Not in the middle of a character.
        while start > 0, start < position, bytes[start] & 0xC0 == 0x80 { start += 1 }
        while end < bytes.count, end > position, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        let before = Self.readable(bytes, start..<position)
        text = before + Self.readable(bytes, position..<end)
        caretOffset = before.unicodeScalars.count
    }

    /// Two lines: the text, and the caret below it.
    public var rendered: String {
        text + "\n" + String(repeating: " ", count: caretOffset) + "^"
    }

    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    private static func readable(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        var piece: [UInt8] = []
        for index in range {
            piece.append(bytes[index] < 0x20 || bytes[index] == 0x7F ? UInt8(ascii: " ") : bytes[index])
        }
        return String(decoding: piece, as: UTF8.self)
    }
}
