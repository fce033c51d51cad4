/// A sum over links that does not depend on their order. If the sums of both directions of a relationship are equal,
/// the directions agree, and no lists need to be compared.
struct LinkSum: Equatable {
    private var first: UInt64 = 0
    private var second: UInt64 = 0

    mutating func add(_ owner: Int64, _ destination: Int64) {
        let mixed = Self.mix(
            UInt64(bitPattern: owner) &* 0x9E37_79B9_7F4A_7C15 ^ Self.mix(UInt64(bitPattern: destination)))
        first &+= mixed
        second &+= mixed &* mixed | 1
    }

    /// Returns the final step of SplitMix64.
    private static func mix(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
