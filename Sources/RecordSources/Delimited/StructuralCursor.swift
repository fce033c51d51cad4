/// Finds the structural bytes of a delimited text in order: delimiters, quotes, line ends and escapes.
///
/// For 64 bytes at a time, it computes a mask with one bit for each structural byte, without a branch for each byte.
/// The text must be followed by `TextWindow.padding` readable bytes.
struct StructuralCursor {
    /// The five bytes to find, each repeated sixteen times. Unused ones repeat another one.
    struct Patterns {
        var first: SIMD16<UInt8>
        var second: SIMD16<UInt8>
        var third: SIMD16<UInt8>
        var fourth: SIMD16<UInt8>
        var fifth: SIMD16<UInt8>

        init(_ bytes: [UInt8]) {
            func pattern(_ index: Int) -> SIMD16<UInt8> {
                SIMD16(repeating: index < bytes.count ? bytes[index] : bytes.first ?? 0x0A)
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

    /// Returns the offset of the next structural byte; the end or a larger offset if there is none.
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

    /// Skips the byte at an offset if it is structural. All structural bytes before it must have been skipped already.
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

    /// Returns a mask with one bit for each of the 64 bytes from an offset on.
    @inline(__always)
    private func match(_ offset: Int) -> UInt64 {
        var mask: UInt64 = 0
        for part in 0..<4 {
            let bytes = base.loadUnaligned(fromByteOffset: offset &+ part &* 16, as: SIMD16<UInt8>.self)
            let equal =
                (bytes .== patterns.first) .| (bytes .== patterns.second) .| (bytes .== patterns.third)
                .| (bytes .== patterns.fourth) .| (bytes .== patterns.fifth)
            let words = unsafeBitCast(equal, to: SIMD2<UInt64>.self)
            mask |= StructuralCursor.gathered(words[0]) &<< UInt64(truncatingIfNeeded: part &* 16)
            mask |= StructuralCursor.gathered(words[1]) &<< UInt64(truncatingIfNeeded: part &* 16 &+ 8)
        }
        return mask
    }

    /// Collects the lowest bits of the bytes, with the bit of the first byte lowest. The multiplication moves them to
    /// the highest byte.
    @inline(__always)
    private static func gathered(_ word: UInt64) -> UInt64 {
        ((UInt64(littleEndian: word) & 0x0101_0101_0101_0101) &* 0x0102_0408_1020_4080) &>> 56
    }
}
