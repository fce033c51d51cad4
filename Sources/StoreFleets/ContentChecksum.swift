import PersistentStores

/// A checksum of content, such as a fleet's models, for recognizing changes; it is not secure against deliberate
/// collisions.
struct ContentChecksum {
    // FNV-1a with 64 bits.
    private var sum: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        sum = (sum ^ 0xFF) &* 0x100_0000_01B3
    }

    var text: String { String(sum, radix: 16) }
}
