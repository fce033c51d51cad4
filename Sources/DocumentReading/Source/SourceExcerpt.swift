/// A piece of one line of a document with a caret below the place in question.
public struct SourceExcerpt: Sendable, Hashable {
    /// The piece of the line, control characters replaced by spaces.
    public let text: String

    /// The number of characters before the place.
    public let caretOffset: Int

    /// What is shown of a line on either side of the place, in bytes.
    static let reach = 60

    /// Cuts the line around a byte offset out of a document, or out of the part of it that is at hand.
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
