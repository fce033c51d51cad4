/// A set of bytes, as 256 bits.
package struct ByteSet: Equatable, Sendable {
    private var bits: SIMD4<UInt64> = .zero

    init(_ bytes: [UInt8]) {
        for byte in bytes { bits[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
    }

    @inline(__always)
    package func contains(_ byte: UInt8) -> Bool {
        bits[Int(byte &>> 6)] &>> UInt64(byte & 63) & 1 == 1
    }
}
