/// The running checksum of a write-ahead log ("Checksum Algorithm", section 4.2 of "Database File Format").
struct LogChecksum {
    let isBigEndian: Bool
    private(set) var first: UInt32 = 0
    private(set) var second: UInt32 = 0

    init(isBigEndian: Bool) {
        self.isBigEndian = isBigEndian
    }

    /// Adds bytes, whose number must be a multiple of eight.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        var offset = bytes.startIndex
        while offset + 8 <= bytes.endIndex {
            first = first &+ word(bytes, offset) &+ second
            second = second &+ word(bytes, offset + 4) &+ first
            offset += 8
        }
    }

    @inline(__always)
    private func word(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
        let value =
            UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16 | UInt32(bytes[offset + 2]) << 8
            | UInt32(bytes[offset + 3])
        return isBigEndian ? value : value.byteSwapped
    }
}
