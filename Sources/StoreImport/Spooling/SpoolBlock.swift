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
    /// A checksum of a block's header and content: it notices accidents, not forgeries.
    static func checksum(_ header: UInt64, _ content: Span<UInt8>) -> UInt64 {
        var lanes: (UInt64, UInt64, UInt64, UInt64) = (header, 0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 1)
        func mix(_ lane: UInt64, _ word: UInt64) -> UInt64 {
            let product = (lane ^ word) &* 0xff51_afd7_ed55_8ccd
            return product ^ product >> 29
        }
        var place = 0
        while place + 32 <= content.count {
            lanes.0 = mix(lanes.0, KeyHash.word(content, at: place))
            lanes.1 = mix(lanes.1, KeyHash.word(content, at: place + 8))
            lanes.2 = mix(lanes.2, KeyHash.word(content, at: place + 16))
            lanes.3 = mix(lanes.3, KeyHash.word(content, at: place + 24))
            place += 32
        }
        while place < content.count {
            lanes.0 = mix(lanes.0, KeyHash.word(content, at: place))
            place += 8
        }
        return mix(mix(mix(lanes.0, lanes.1), lanes.2), lanes.3)
    }
}
