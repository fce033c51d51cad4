/// Remembers keys in a fixed number of bits: it may think that it has seen a key, and never overlooks one.
///
/// With it a new store is filled without any index: a key that it has not seen is new. 2^27 bits (16 MiB) and 6 hashes give
/// one false answer in two million for two million keys, one in 500 for ten million; a false answer only costs a look-up.
struct KeyFilter {
    private static let bitCount: UInt64 = 1 << 27
    private static let hashCount = 6

    private var words = [UInt64](repeating: 0, count: Int(bitCount / 64))

    /// Adds a key by its hash; whether it may have been there before.
    mutating func insert(_ hash: UInt64) -> Bool {
        let step = (hash >> 33) | 1
        var position = hash
        var wasThere = true
        for _ in 0..<Self.hashCount {
            let bit = position & (Self.bitCount - 1)
            let mask: UInt64 = 1 << (bit & 63)
            let index = Int(bit >> 6)
            if words[index] & mask == 0 {
                wasThere = false
                words[index] |= mask
            }
            position = position &+ step &* 0x9e37_79b9
        }
        return wasThere
    }
}
