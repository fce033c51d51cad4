/// The types of values in records ("Database File Format", section 2.1, "Serial Type Codes").
enum SerialType {
    static let null: UInt64 = 0
    /// The type of integers with eight bytes.
    static let largestInteger: UInt64 = 6
    static let real: UInt64 = 7

    /// Returns the shortest type of an integer, and its number of bytes. The integers 0 and 1 have their own types
    /// without bytes.
    @inline(__always)
    static func integer(_ value: Int64) -> (type: UInt64, length: Int) {
        if value == 0 { return (8, 0) }
        if value == 1 { return (9, 0) }
        // The number of leading zeros of the magnitude; for negative numbers, of the complement.
        switch (value < 0 ? ~value : value).leadingZeroBitCount {
        case 57...: return (1, 1)
        case 49...: return (2, 2)
        case 41...: return (3, 3)
        case 33...: return (4, 4)
        case 17...: return (5, 6)
        default: return (6, 8)
        }
    }

    @inline(__always)
    static func bytes(_ count: Int, isText: Bool) -> UInt64 {
        UInt64(count) * 2 + (isText ? 13 : 12)
    }

    /// Returns the number of bytes of a value of a type.
    @inline(__always)
    static func length(_ type: UInt64) -> Int {
        // Four bits for each of the first eight types; those from 8 to 11 have no bytes.
        type < 12 ? Int(0x8864_3210 >> (type * 4) & 15) : Int((type - 12) / 2)
    }

    /// Returns the value of an integer type; for reals, their bits.
    @inline(__always)
    static func integer(of type: UInt64, _ bytes: Span<UInt8>) -> Int64 {
        if type == 8 { return 0 }
        if type == 9 { return 1 }
        if bytes.count == 8 {
            return Int64(bigEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: Int64.self))
        }
        var bits: UInt64 = 0
        for index in bytes.indices { bits = bits << 8 | UInt64(bytes[index]) }
        let unused = UInt64(64 - 8 * bytes.count)
        return unused < 64 ? Int64(bitPattern: bits << unused) >> Int64(unused) : 0
    }

    @inline(__always)
    static func isInteger(_ type: UInt64) -> Bool { type >= 1 && type <= 9 && type != real }
    static func isText(_ type: UInt64) -> Bool { type >= 13 && type % 2 == 1 }
    static func isBlob(_ type: UInt64) -> Bool { type >= 12 && type % 2 == 0 }
}
