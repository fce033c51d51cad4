import PersistentStores

/// Tells contents from earlier ones, as those of the models of a fleet; it withstands no one who wants two to be equal.
struct ContentChecksum {
    // FNV-1a with 64 bits.
    private var sum: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        sum = (sum ^ 0xFF) &* 0x100_0000_01B3
    }

    var text: String { String(sum, radix: 16) }
}
