/// The bytes of a document with its name, for showing the line of an error.
public struct SourceText: Sendable {
    /// The path of the file, or the name that messages use instead.
    public let name: String

    /// The whole document, in its stored encoding.
    public let bytes: [UInt8]

    /// Makes a text from bytes in memory.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// Reads a whole file with a maximum size in bytes.
    /// - Throws: `DocumentError` if the file cannot be read (`unreadable`) or is larger (`tooLarge`).
    public init(path: String, maximumSize: Int) throws(DocumentError) {
        var file = try ByteSource(path: path)
        var bytes: [UInt8] = []
        var isAtEnd = false
        while !isAtEnd {
            unsafe try file.withNextPiece { piece in
                isAtEnd = piece.isEmpty
                unsafe bytes.append(contentsOf: piece)
            }
            guard bytes.count <= maximumSize else {
                throw DocumentError(
                    .tooLarge, "the file has more than \(maximumSize) bytes", at: SourceLocation(file: path, line: 1))
            }
        }
        self.init(name: path, bytes: bytes)
    }

    /// Returns the line of a location with a caret, or nil if the document is shorter than that.
    public func excerpt(at location: SourceLocation) -> SourceExcerpt? {
        guard let offset = offset(line: location.line, column: location.column ?? 1) else { return nil }
        return SourceExcerpt(of: bytes.span, at: offset)
    }

    /// Returns the byte offset of a line and a column, both counted from 1; a column beyond the line's end means its
    /// end.
    func offset(line: Int, column: Int) -> Int? {
        var offset = 0
        var current = 1
        while current < line {
            guard let newline = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            offset = newline + 1
            current += 1
        }
        var remaining = column - 1
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") {
            if bytes[offset] & 0xC0 != 0x80 {
                if remaining <= 0 { break }
                remaining -= 1
            }
            offset += 1
        }
        return offset
    }
}
