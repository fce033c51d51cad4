/// The blocks of a spool (docs/format/spools.md#blocks).
enum SpoolBlock: UInt8 {
    /// The first block: the description of the import, which is the same in all shards.
    case `import` = 1
    /// The beginning of a file's records.
    case file = 2
    /// A batch of converted records.
    case batch = 3
    /// The last block: the description of the shard, and its results.
    case ending = 4
    /// Sorted hashes of keys.
    case keys = 5

    /// The first bytes of a spool.
    static let magic = Array("FRYSPOOL".utf8)
    static let version: UInt64 = 4
    /// The last bytes of a spool, after the offset of its last block.
    static let endMagic = Array("FRYSPEND".utf8)
    /// The bytes before a block's content: its length, and the kind of block in the highest byte.
    static let headerBytes = 8
    static let checksumBytes = 8
    /// Returns a checksum of a block's header and content, which detects accidental changes but not forgeries. Words
    /// are distributed over eight lanes, which do not depend on each other.
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
