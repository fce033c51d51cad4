/// Numbers with the highest byte first, as property lists have them.
extension [UInt8] {
    /// Appends the low bytes of a number.
    @inline(__always)
    mutating func append(bigEndian number: UInt64, bytes count: Int) {
        append(addingCapacity: count) { bytes in
            var shift = UInt64(count) * 8
            while shift > 0 {
                shift -= 8
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
}
