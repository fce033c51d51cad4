/// Converts byte offsets of a text to lines and columns, only when an error needs them.
enum TextPlace {
    static func place(of offset: Int, in bytes: [UInt8]) -> PropertyListError.Place {
        let before = bytes.prefix(offset)
        let line = before.reduce(into: 1) { $0 += $1 == 0x0A ? 1 : 0 }
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return .text(line: line, column: offset - lineStart + 1)
    }
}
