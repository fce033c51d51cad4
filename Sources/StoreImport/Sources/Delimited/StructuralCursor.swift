/// Steps from one structural byte of a delimited text to the next: delimiters, quotes, line ends and escapes.
///
/// 64 bytes at a time become a mask with one bit for every structural byte, without a branch per byte. The text must be
/// followed by `TextWindow.padding` bytes that may be read.
struct StructuralCursor {
    /// Five bytes to look for, each repeated eight times; those not needed repeat another.
    struct Patterns {
        var first: UInt64
        var second: UInt64
        var third: UInt64
        var fourth: UInt64
        var fifth: UInt64

        init(_ bytes: [UInt8]) {
            func pattern(_ index: Int) -> UInt64 {
                UInt64(index < bytes.count ? bytes[index] : bytes.first ?? 0x0A) &* 0x0101_0101_0101_0101
            }
            first = pattern(0)
            second = pattern(1)
            third = pattern(2)
            fourth = pattern(3)
            fifth = pattern(4)
        }
    }

    private let base: UnsafeRawPointer
    private let end: Int
    private let patterns: Patterns
    private var block: Int
    private var mask: UInt64

    @inline(__always)
    init(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int, patterns: Patterns) {
        self.base = UnsafeRawPointer(base)
        self.end = end
        self.patterns = patterns
        block = start
        mask = 0
        if start < end { mask = match(start) }
    }

    /// The offset of the next structural byte; the end or more where there is none.
    @inline(__always)
    mutating func next() -> Int {
        while mask == 0 {
            block &+= 64
            if block >= end { return end }
            mask = match(block)
        }
        let offset = block &+ mask.trailingZeroBitCount
        mask &= mask &- 1
        return offset
    }

    /// Passes over the byte at an offset, if it is structural; all structural bytes before it are passed already.
    @inline(__always)
    mutating func pass(_ offset: Int) {
        while offset >= block &+ 64 {
            if block &+ 64 >= end { return }
            block &+= 64
            mask = match(block)
        }
        if offset >= block {
            mask &= ~(1 &<< UInt64(truncatingIfNeeded: offset &- block))
        }
    }

    /// One bit for each of the 64 bytes from an offset on.
    @inline(__always)
    private func match(_ offset: Int) -> UInt64 {
        var mask: UInt64 = 0
        for word in 0..<8 {
            let bytes = UInt64(
                littleEndian: base.loadUnaligned(fromByteOffset: offset &+ word &* 8, as: UInt64.self))
            let different = StructuralCursor.nonzero(bytes ^ patterns.first)
                & StructuralCursor.nonzero(bytes ^ patterns.second)
                & StructuralCursor.nonzero(bytes ^ patterns.third)
                & StructuralCursor.nonzero(bytes ^ patterns.fourth)
                & StructuralCursor.nonzero(bytes ^ patterns.fifth)
            let equal = (~different & 0x8080_8080_8080_8080) &>> 7
            // Gathers the lowest bit of each byte in the highest byte.
            mask |= ((equal &* 0x0102_0408_1020_4080) &>> 56) &<< UInt64(truncatingIfNeeded: word &* 8)
        }
        return mask
    }

    /// The highest bit of every byte that is not zero; exact, without carries between bytes.
    @inline(__always)
    private static func nonzero(_ word: UInt64) -> UInt64 {
        ((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | word
    }
}
