/// Numbers with the highest byte first, as property lists have them.
extension [UInt8] {
    /// Appends the low two bytes of a number.
    @inline(__always)
    mutating func append(bigEndian16 number: UInt64) {
        append(addingCapacity: 2) { bytes in
            bytes.append(UInt8(truncatingIfNeeded: number >> 8))
            bytes.append(UInt8(truncatingIfNeeded: number))
        }
    }

    /// Appends the low four bytes of a number.
    @inline(__always)
    mutating func append(bigEndian32 number: UInt64) {
        append(addingCapacity: 4) { bytes in
            bytes.append(UInt8(truncatingIfNeeded: number >> 24))
            bytes.append(UInt8(truncatingIfNeeded: number >> 16))
            bytes.append(UInt8(truncatingIfNeeded: number >> 8))
            bytes.append(UInt8(truncatingIfNeeded: number))
        }
    }

    /// Appends the low five bytes of a number.
    @inline(__always)
    mutating func append(bigEndian40 number: UInt64) {
        append(addingCapacity: 5) { bytes in
            bytes.append(UInt8(truncatingIfNeeded: number >> 32))
            bytes.append(UInt8(truncatingIfNeeded: number >> 24))
            bytes.append(UInt8(truncatingIfNeeded: number >> 16))
            bytes.append(UInt8(truncatingIfNeeded: number >> 8))
            bytes.append(UInt8(truncatingIfNeeded: number))
        }
    }

    /// Appends a number in eight bytes.
    @inline(__always)
    mutating func append(bigEndian64 number: UInt64) {
        append(addingCapacity: 8) { bytes in
            for shift: UInt64 in [56, 48, 40, 32, 24, 16, 8, 0] {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
    }
}

extension Span<UInt8> {
    /// The number of some bytes, the highest first.
    @inline(__always)
    func bigEndian(at offset: Int, width: Int) -> UInt64 {
        var number: UInt64 = 0
        for place in offset..<offset + width { number = number << 8 | UInt64(self[place]) }
        return number
    }

    /// Whether no byte is above 0x7F.
    var isASCII: Bool {
        var all: UInt8 = 0
        for index in indices { all |= self[index] }
        return all < 0x80
    }
}
