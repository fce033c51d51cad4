/// Variable-length integers ("Database File Format", section 1.6): one to nine bytes, most significant bits first.
extension ByteBuffer {
    /// Stores a number, and returns its length in bytes.
    @inline(__always)
    mutating func storeVarint(_ value: UInt64, at offset: Int) -> Int {
        if value < 0x80 {
            self[offset] = UInt8(truncatingIfNeeded: value)
            return 1
        }
        return storeLongVarint(value, at: offset)
    }

    private mutating func storeLongVarint(_ value: UInt64, at offset: Int) -> Int {
        let length = Varint.length(value)
        var rest = value
        var index = length - 1
        if length == 9 {
            // The ninth byte contributes all of its eight bits.
            self[offset + 8] = UInt8(truncatingIfNeeded: rest)
            rest >>= 8
            index = 7
        }
        var mark: UInt8 = length == 9 ? 0x80 : 0
        while index >= 0 {
            self[offset + index] = UInt8(truncatingIfNeeded: rest & 0x7f) | mark
            rest >>= 7
            mark = 0x80
            index -= 1
        }
        return length
    }

    /// Returns a number and its length in bytes.
    func loadVarint(at offset: Int) -> (value: UInt64, length: Int) {
        withBytes(offset..<min(capacity, offset + 9)) { Varint.load($0, at: 0) }
    }
}

/// The sizes of variable-length integers, and functions that read them.
enum Varint {
    static let maximumLength = 9

    @inline(__always)
    static func length(_ value: UInt64) -> Int {
        if value < 0x80 { return 1 }
        let bits = UInt64.bitWidth - value.leadingZeroBitCount
        return bits > 56 ? 9 : (bits + 6) / 7
    }

    @inline(__always)
    static func load(_ bytes: Span<UInt8>, at offset: Int) -> (value: UInt64, length: Int) {
        let first = bytes[offset]
        if first < 0x80 { return (UInt64(first), 1) }
        var value = UInt64(first & 0x7f)
        for index in 1..<8 {
            let byte = bytes[offset + index]
            value = value << 7 | UInt64(byte & 0x7f)
            if byte < 0x80 { return (value, index + 1) }
        }
        return (value << 8 | UInt64(bytes[offset + 8]), 9)
    }
}
