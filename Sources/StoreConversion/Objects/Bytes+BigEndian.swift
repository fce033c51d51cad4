/// Big-endian numbers, as in property lists.
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
    /// Returns the number in a range of bytes.
    @inline(__always)
    func bigEndian(at offset: Int, width: Int) -> UInt64 {
        var number: UInt64 = 0
        for place in offset..<offset + width { number = number << 8 | UInt64(self[place]) }
        return number
    }
}
