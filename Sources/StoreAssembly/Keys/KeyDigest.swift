/// A digest of a key, with 128 bits.
///
/// Two different keys of one assembly have the same digest with a probability below 10⁻²⁰ for a thousand million keys,
/// which is less likely than a hardware fault. Equal digests cannot be forced, because each assembly uses its own
/// random secret numbers.
public struct KeyDigest: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Creates a digest of the integers that a sorter or a file has for it.
    init(_ high: Int64, _ low: Int64) {
        self.init(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
    }

    /// The integers that a sorter or a file has for the digest.
    var integers: (high: Int64, low: Int64) { (Int64(bitPattern: high), Int64(bitPattern: low)) }

    /// Returns the digest of the key combined with an entity.
    public func of(entity: Int64) -> KeyDigest {
        KeyDigest(high: high, low: low ^ UInt64(bitPattern: entity) &* 0x9e37_79b9_7f4a_7c15)
    }

    /// Returns the digest of a key of several values, given the digest of the next value. This digest is that of the
    /// values before it.
    public func joined(with next: KeyDigest) -> KeyDigest {
        // No input can be constructed to have the same sum, because digests depend on secret numbers.
        KeyDigest(high: high &* 3 &+ next.high, low: low &* 3 &+ next.low)
    }
}

/// A maker of digests of keys.
public struct KeyDigester: Sendable {
    private let seeds: (UInt64, UInt64, UInt64, UInt64)

    /// Creates a digester with its own secret numbers. Digests of different digesters cannot be compared.
    public init() {
        var random = SystemRandomNumberGenerator()
        // Multiplication by odd numbers loses no information.
        seeds = (random.next() | 1, random.next() | 1, random.next() | 1, random.next() | 1)
    }

    /// Returns the digest of a key's bytes. Equal keys must have equal bytes.
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
        // The last word is padded with zeros, so the length is included.
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
