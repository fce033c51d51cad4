/// The header of a b-tree page that is checked ("Database File Format", section 1.6). No value in it is trusted.
struct CheckedPage {
    let kind: TreePage.Kind
    /// The offset of the page header: 100 on the first page, after the header of the file.
    let start: Int
    let cellCount: Int
    let firstFreeBlock: Int
    let contentStart: Int
    let fragmentedBytes: Int

    /// Returns nil if the page is not a b-tree page.
    init?(_ bytes: Span<UInt8>, isFirst: Bool) {
        start = isFirst ? TreePage.fileHeaderSize : 0
        guard let kind = TreePage.Kind(rawValue: bytes[start]) else { return nil }
        self.kind = kind
        firstFreeBlock = bytes.number16(at: start + 1)
        cellCount = bytes.number16(at: start + 3)
        let content = bytes.number16(at: start + 5)
        // 0 stands for 65536.
        contentStart = content == 0 ? 65536 : content
        fragmentedBytes = Int(bytes[start + 7])
    }

    /// The offset of the pointers to the cells.
    var pointers: Int { start + kind.headerSize }
    /// The offset after the last pointer.
    var pointersEnd: Int { pointers + 2 * cellCount }
}

/// Big-endian numbers of a page.
extension Span where Element == UInt8 {
    /// Loads a number with a single bounds check for all of its bytes.
    @inline(__always)
    private func load<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, _ offset: Int) -> Number {
        precondition(offset >= 0 && offset <= count - MemoryLayout<Number>.size, "outside of the page")
        return unsafe Number(bigEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: type))
    }

    @inline(__always)
    func number16(at offset: Int) -> Int { Int(load(UInt16.self, offset)) }

    @inline(__always)
    func number32(at offset: Int) -> UInt32 { load(UInt32.self, offset) }

    @inline(__always)
    func number64(at offset: Int) -> UInt64 { load(UInt64.self, offset) }

    /// Returns a variable-length integer and the offset after it; nil if it does not end before the limit.
    @inline(__always)
    func varint(at offset: Int, before limit: Int) -> (value: UInt64, end: Int)? {
        guard offset < limit else { return nil }
        let first = self[offset]
        if first < 0x80 { return (UInt64(first), offset + 1) }
        guard offset + 4 <= Swift.min(limit, count) else { return longVarint(at: offset, before: limit) }
        // Decodes up to four bytes without a branch for each byte: the seven bits of all bytes are moved together.
        let word = number32(at: offset)
        let ends = ~word & 0x8080_8080
        guard ends != 0 else { return longVarint(at: offset, before: limit) }
        let size = ends.leadingZeroBitCount / 8 + 1
        let bits = word &>> UInt32(32 - 8 * size)
        let value = bits & 0x7f | bits >> 1 & 0x3f80 | bits >> 2 & 0x1f_c000 | bits >> 3 & 0xfe0_0000
        return (UInt64(value), offset + size)
    }

    @inline(never)
    private func longVarint(at offset: Int, before limit: Int) -> (value: UInt64, end: Int)? {
        var value: UInt64 = 0
        for index in 0..<8 {
            guard offset + index < limit else { return nil }
            let byte = self[offset + index]
            value = value << 7 | UInt64(byte & 0x7f)
            if byte < 0x80 { return (value, offset + index + 1) }
        }
        guard offset + 8 < limit else { return nil }
        return (value << 8 | UInt64(self[offset + 8]), offset + 9)
    }
}
