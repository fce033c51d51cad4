/// A set of keys in a fixed number of bits. It may report a key that was never added, but never misses one that was.
///
/// It is a Bloom filter in which the eight bits of a key are in one cache line of the processor. With sixteen bits for
/// each key, one answer in several thousand is wrong.
struct KeyFilter {
    private static let lineBytes = 64

    private var words: [UInt64]
    /// The first word at the beginning of a cache line. The elements of an array may begin anywhere in one, and a line
    /// of the filter that extends over two cache lines would require two memory accesses.
    private let firstWord: Int
    private let lineMask: UInt64
    let byteCount: Int

    /// - Parameter byteCount: the size in bytes, a power of two and at least 64.
    init(byteCount: Int) {
        self.byteCount = byteCount
        words = [UInt64](repeating: 0, count: byteCount / 8 + Self.lineBytes / 8)
        let address = words.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        firstWord = Int((0 &- address) % UInt(Self.lineBytes)) / 8
        lineMask = UInt64(byteCount / Self.lineBytes - 1)
    }

    /// The number of keys up to which wrong answers are rare.
    var capacity: Int { byteCount / 2 }

    /// Accesses the lines of keys that are about to be added, so that they are loaded in parallel instead of one after
    /// the other.
    @inline(never)
    func touch(_ hashes: Span<UInt64>) -> UInt64 {
        let words = words.span
        var sum: UInt64 = 0
        for index in hashes.indices { sum &+= words[firstWord + Int(hashes[index] & lineMask) * 8] }
        return sum
    }

    /// Adds a key by its hash; returns whether it may have been added before.
    mutating func insert(_ hash: UInt64) -> Bool {
        let line = firstWord + Int(hash & lineMask) * 8
        // A key uses one half of its line, with two bits in each of its four words.
        var bits = hash &* 0x9e37_79b9_7f4a_7c15
        bits ^= bits >> 29
        let first = line + Int(bits & 4)
        bits >>= 3
        var words = words.mutableSpan
        var isNew: UInt64 = 0
        for index in first..<first + 4 {
            let mask: UInt64 = 1 << (bits & 63) | 1 << (bits >> 6 & 63)
            let word = words[index]
            isNew |= mask & ~word
            words[index] = word | mask
            bits >>= 12
        }
        return isNew == 0
    }
}
