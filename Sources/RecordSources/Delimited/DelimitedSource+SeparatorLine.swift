extension DelimitedSource {
    /// Returns the delimiter that a first line such as `sep=;` specifies for spreadsheets; nil if there is no such
    /// line.
    static func separatorLine(of window: TextWindow) -> UInt8? {
        var bytes = window.bytes[window.start..<window.end].prefix { $0 != 0x0A && $0 != 0x0D }
        // Programs that quote all texts quote this line too.
        if bytes.count > 2, let quote = bytes.first, quote == UInt8(ascii: "\""), bytes.last == quote {
            bytes = bytes.dropFirst().dropLast()
        }
        let word = Array("sep=".utf8)
        guard bytes.count == word.count + 1,
            bytes.prefix(word.count).map({ $0 | 0x20 }).elementsEqual(word.map { $0 | 0x20 }),
            let delimiter = bytes.last, delimiter < 0x80
        else { return nil }
        return delimiter
    }
}
