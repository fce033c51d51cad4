/// The encoder of the content of a spool's block, piece by piece (docs/format/spools.md#numbers).
struct SpoolEncoder {
    private(set) var bytes: [UInt8] = []

    /// Removes the content, and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Adds many numbers, with a single check for memory, which is several times as fast.
    ///
    /// - Parameters:
    ///   - count: the largest number of numbers that are added.
    ///   - body: adds them to its argument.
    @inline(__always)
    mutating func append(atMost count: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        bytes.append(addingCapacity: count * Self.largestNumber, initializingWith: body)
    }

    /// The number of bytes of a 64-bit number, with seven bits in each byte.
    private static let largestNumber = 10

    /// Adds a number of any size: seven bits in each byte, the lowest first.
    @inline(__always)
    mutating func append(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Adds a count, which must not be negative.
    @inline(__always)
    mutating func append(count: Int) {
        append(UInt64(truncatingIfNeeded: count))
    }

    /// Adds a signed number, with the sign in its lowest bit.
    @inline(__always)
    mutating func append(signed number: Int) {
        append(UInt64(bitPattern: Int64(number << 1 ^ number >> 63)))
    }

    /// Adds eight bytes, little-endian.
    mutating func append(bits: UInt64) {
        append(words: [bits])
    }

    /// Adds numbers of eight bytes, little-endian.
    mutating func append(words: ArraySlice<UInt64>) {
        bytes.reserveCapacity(bytes.count + 8 * words.count)
        for word in words { withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) } }
    }

    /// Adds bytes, preceded by their number.
    mutating func append(bytes added: some Collection<UInt8>) {
        append(count: added.count)
        bytes.append(contentsOf: added)
    }

    mutating func append(_ text: String) {
        append(bytes: Array(text.utf8))
    }

    /// Adds a text, or a marker that it is nil.
    mutating func append(optional text: String?) {
        append(count: text == nil ? 0 : 1)
        if let text { append(text) }
    }
}

extension OutputSpan where Element == UInt8 {
    /// Adds a number of any size in the same way as `SpoolEncoder`.
    @inline(__always)
    mutating func append(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Adds a count, which must not be negative.
    @inline(__always)
    mutating func append(count: Int) {
        append(number: UInt64(truncatingIfNeeded: count))
    }

    /// Adds a signed number, with the sign in its lowest bit.
    @inline(__always)
    mutating func append(signed number: Int) {
        append(number: UInt64(bitPattern: Int64(number << 1 ^ number >> 63)))
    }

    /// Adds eight bytes, little-endian.
    @inline(__always)
    mutating func append(bits: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
    }
}
