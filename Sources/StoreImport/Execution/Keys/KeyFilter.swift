/// Remembers keys in a fixed number of bits: it may think that it has seen a key, and never overlooks one.
///
/// A Bloom filter whose eight bits of a key lie in one line of the processor's cache. With sixteen bits for each key,
/// one answer in several thousand is wrong.
struct KeyFilter {
    private static let lineBytes = 64

    private var words: [UInt64]
    /// The first word that begins a line of the cache: an array's elements begin anywhere in one, and a line of the filter
    /// that lay in two of the cache's would cost two accesses of memory.
    private let firstWord: Int
    private let lineMask: UInt64
    let byteCount: Int

    /// - Parameter byteCount: a power of two, at least 64.
    init(byteCount: Int) {
        self.byteCount = byteCount
        words = [UInt64](repeating: 0, count: byteCount / 8 + Self.lineBytes / 8)
        let address = words.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        firstWord = Int((0 &- address) % UInt(Self.lineBytes)) / 8
        lineMask = UInt64(byteCount / Self.lineBytes - 1)
    }

    /// How many keys it can have before wrong answers become frequent.
    var capacity: Int { byteCount / 2 }

    /// Looks at the lines of keys that are about to be added: memory gets them all at once instead of one after the
    /// other.
    @inline(never)
    func touch(_ hashes: Span<UInt64>) -> UInt64 {
        let words = words.span
        var sum: UInt64 = 0
        for index in hashes.indices { sum &+= words[firstWord + Int(hashes[index] & lineMask) * 8] }
        return sum
    }

    /// Adds a key by its hash; whether it may have been there before.
    mutating func insert(_ hash: UInt64) -> Bool {
        let line = firstWord + Int(hash & lineMask) * 8
        // A key has one half of its line, and two bits in each of the four words of that.
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
