/// A key as 128 bits.
///
/// Two keys of one assembly have the same digest only by an accident that is less likely than one of the machine: with
/// a thousand million keys its probability is below 10⁻²⁰. It cannot be arranged, because the digest is made with
/// secret numbers that are drawn for each assembly.
public struct KeyDigest: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// The digest of the same key of objects of another entity.
    public func of(entity: Int64) -> KeyDigest {
        KeyDigest(high: high, low: low ^ UInt64(bitPattern: entity) &* 0x9e37_79b9_7f4a_7c15)
    }

    /// The digest of a key of several values, of those of its first values and of the next one.
    public func joined(with next: KeyDigest) -> KeyDigest {
        // No input can be chosen to have the sum of others: digests are made with secret numbers.
        KeyDigest(high: high &* 3 &+ next.high, low: low &* 3 &+ next.low)
    }
}

/// Makes digests of keys.
public struct KeyDigester: Sendable {
    private let seeds: (UInt64, UInt64, UInt64, UInt64)

    /// Makes a digester with secret numbers of its own: digests of two digesters do not compare.
    public init() {
        var random = SystemRandomNumberGenerator()
        // Odd, so that multiplying loses nothing.
        seeds = (random.next() | 1, random.next() | 1, random.next() | 1, random.next() | 1)
    }

    /// The digest of a key's bytes. Equal keys must have equal bytes.
    public func digest(of key: Span<UInt8>) -> KeyDigest {
        var high = seeds.0
        var low = seeds.1
        var index = 0
        while index < key.count {
            let word = key.word(at: index)
            high = Self.fold(high ^ word, seeds.2)
            low = Self.fold(low &+ word, seeds.3)
            index += 8
        }
        // Zeros fill the last word up.
        high = Self.fold(high ^ UInt64(key.count), seeds.2)
        low = Self.fold(low &+ UInt64(key.count), seeds.3)
        return KeyDigest(high: Self.fold(high, seeds.3) ^ low, low: Self.fold(low, seeds.2) ^ high)
    }

    @inline(__always)
    private static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = one.multipliedFullWidth(by: other)
        return product.high ^ product.low ^ one
    }
}
