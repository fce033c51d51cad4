/// Finds the first byte that is not valid UTF-8, eight ASCII bytes at a time.
struct UTF8Validation {
    /// Returns the offset of the first byte from `start` on that does not begin a complete, well-formed character; nil
    /// if there is no such byte.
    ///
    /// Well-formed is defined as in the Unicode Standard, table 3-7: no overlong forms, no surrogates, and nothing
    /// above U+10FFFF.
    mutating func firstInvalid(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let raw = UnsafeRawPointer(base)
        let end = bytes.count
        var index = start
        while index < end {
            while index + 32 <= end {
                let first = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                let second = raw.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self)
                let third = raw.loadUnaligned(fromByteOffset: index + 16, as: UInt64.self)
                let fourth = raw.loadUnaligned(fromByteOffset: index + 24, as: UInt64.self)
                let high = (first | second | third | fourth) & 0x8080_8080_8080_8080
                if high != 0 { break }
                index += 32
            }
            // Decodes some characters individually before trying whole words again.
            let stop = min(end, index + 64)
            while index < stop {
                let length = UTF8Validation.characterLength(base + index, available: end - index)
                if length == 0 { return index }
                index += length
            }
        }
        return nil
    }

    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        var validation = UTF8Validation()
        return bytes.withUnsafeBufferPointer { validation.firstInvalid(in: $0, from: 0) } == nil
    }

    /// Returns the length of the well-formed character that begins at a byte; 0 if there is none.
    @inline(__always)
    static func characterLength(_ at: UnsafePointer<UInt8>, available: Int) -> Int {
        let lead = at[0]
        if lead < 0x80 { return 1 }
        if lead < 0xC2 { return 0 }
        if lead < 0xE0 {
            return available >= 2 && at[1] & 0xC0 == 0x80 ? 2 : 0
        }
        if lead < 0xF0 {
            guard available >= 3, at[1] & 0xC0 == 0x80, at[2] & 0xC0 == 0x80 else { return 0 }
            if lead == 0xE0 && at[1] < 0xA0 { return 0 }
            if lead == 0xED && at[1] > 0x9F { return 0 }
            return 3
        }
        guard lead < 0xF5, available >= 4, at[1] & 0xC0 == 0x80, at[2] & 0xC0 == 0x80, at[3] & 0xC0 == 0x80 else {
            return 0
        }
        if lead == 0xF0 && at[1] < 0x90 { return 0 }
        if lead == 0xF4 && at[1] > 0x8F { return 0 }
        return 4
    }
}
