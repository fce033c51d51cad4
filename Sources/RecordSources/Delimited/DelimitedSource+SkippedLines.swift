extension DelimitedSource {
    /// Skips the lines before the header; returns their original bytes and their number.
    static func skipLines(
        _ count: Int, _ window: inout TextWindow, limit: Int
    ) throws(SourceError) -> (bytes: [UInt8], count: Int) {
        var bytes: [UInt8] = []
        var skipped = 0
        while skipped < count {
            guard let length = try lineLength(&window, limit: limit) else { break }
            let passed = window.advance(by: length)
            bytes += window.passedBytes(passed)
            skipped += 1
        }
        return (bytes, skipped)
    }

    /// Returns the length in bytes of the next line and its line end; nil at the end of the source.
    private static func lineLength(_ window: inout TextWindow, limit: Int) throws(SourceError) -> Int? {
        while true {
            let bytes = window.bytes[window.start..<window.end]
            if let end = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
                // The second byte of a line end may not have been read yet.
                if bytes[end] == 0x0A { return end - window.start + 1 }
                if end + 1 < window.end { return end - window.start + (bytes[end + 1] == 0x0A ? 2 : 1) }
            }
            if window.isAtEnd { return bytes.isEmpty ? nil : bytes.count }
            guard window.count < limit else {
                throw SourceError(.recordTooLarge(limit: limit), in: window.input.name, line: 1)
            }
            try window.fill()
        }
    }
}
