/// A hash of bytes with a random seed for each process, so that no file can be constructed to cause collisions.
enum ByteHash {
    private static let seed = UInt64.random(in: .min ... .max)

    static func hash(_ bytes: Span<UInt8>, _ range: Range<Int>, salt: UInt64 = 0) -> UInt64 {
        var state = seed ^ (salt &* 0x9E37_79B9_7F4A_7C15)
        for index in range {
            state = (state ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3
            state ^= state &>> 29
        }
        let product = (state ^ UInt64(range.count)).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
        return product.high ^ product.low
    }
}
