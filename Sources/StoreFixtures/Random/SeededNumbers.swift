/// Pseudorandom numbers that are the same for the same seed, on every machine and in every run (SplitMix64).
///
/// Swift's own `random(in:)` is not used, since its use of a generator's numbers may change with the standard library.
struct SeededNumbers: Sendable {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// Returns a number below a count; 0 for the count 0.
    mutating func below(_ count: Int) -> Int {
        guard count > 1 else { return 0 }
        // The upper half of the full product is sufficiently uniform for counts far below 2^64.
        return Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(count)).high)
    }

    /// Returns true once in a number of times.
    mutating func isOnce(in count: Int) -> Bool { below(count) == 0 }

    /// Returns an element of a list that is not empty.
    mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

    /// Returns a mixed number by SplitMix64's finalizer: different numbers stay different.
    static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number for a text (FNV-1a), so that parts with the same name get the same data in every version of a
    /// model.
    static func number(of text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Returns sixteen bytes in the form of a random UUID (RFC 9562, version 4).
    mutating func uuid() -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<2 {
            let word = next()
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes
    }
}
