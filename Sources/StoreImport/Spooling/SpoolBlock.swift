/// The blocks of a spool (docs/format/spools.md#blocks).
enum SpoolBlock: UInt8 {
    /// What all shards of the import have in common: the first block.
    case `import` = 1
    /// The records of one file begin.
    case file = 2
    /// A batch of converted records.
    case batch = 3
    /// What the shard is, and what it found: the last block.
    case ending = 4
    /// Hashes of keys, in order.
    case keys = 5

    /// The first bytes of a spool.
    static let magic = Array("FRYSPOOL".utf8)
    static let version: UInt64 = 4
    /// The last bytes of a spool, behind the offset of its last block.
    static let endMagic = Array("FRYSPEND".utf8)
    /// The bytes before a block's content: its length, and in the highest byte what it is.
    static let headerBytes = 8
    static let checksumBytes = 8
    /// A checksum of a block's header and content: it notices accidents, not forgeries. Each word goes into one of eight
    /// lanes, which do not wait for each other.
    static func checksum(_ header: UInt64, _ content: Span<UInt8>) -> UInt64 {
        var (a, b, c, d) = (header, UInt64(0x9e37_79b9_7f4a_7c15), UInt64(0xbf58_476d_1ce4_e5b9), UInt64(1))
        var (e, f, g, h): (UInt64, UInt64, UInt64, UInt64) = (2, 3, 4, 5)
        var place = 0
        while place + 64 <= content.count {
            a = mix(a, KeyHash.word(content, at: place))
            b = mix(b, KeyHash.word(content, at: place + 8))
            c = mix(c, KeyHash.word(content, at: place + 16))
            d = mix(d, KeyHash.word(content, at: place + 24))
            e = mix(e, KeyHash.word(content, at: place + 32))
            f = mix(f, KeyHash.word(content, at: place + 40))
            g = mix(g, KeyHash.word(content, at: place + 48))
            h = mix(h, KeyHash.word(content, at: place + 56))
            place += 64
        }
        while place < content.count {
            a = mix(a, KeyHash.word(content, at: place))
            place += 8
        }
        return [b, c, d, e, f, g, h].reduce(a, mix)
    }

    @inline(__always)
    private static func mix(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        let product = (lane ^ word) &* 0xff51_afd7_ed55_8ccd
        return product ^ product >> 29
    }
}
