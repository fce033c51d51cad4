extension [UInt8] {
    /// Appends a word, its lowest byte first.
    mutating func append(word: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
}

extension Span<UInt8> {
    /// Returns the word at an offset, its lowest byte first. Bytes after the end are 0.
    @inline(__always)
    func word(at start: Int) -> UInt64 {
        let end = min(count, start + 8)
        var word: UInt64 = 0
        for index in (start..<end).reversed() { word = word << 8 | UInt64(self[index]) }
        return word
    }
}
