/// The content of a block of a spool, added piece by piece (docs/format/spools.md#numbers).
struct SpoolEncoder {
    private(set) var bytes: [UInt8] = []

    /// Forgets the content and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Adds many numbers: room is made for all of them at once, which is several times as fast.
    ///
    /// - Parameters:
    ///   - count: how many numbers are added at the most.
    ///   - body: adds them to its argument.
    @inline(__always)
    mutating func append(atMost count: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        bytes.append(addingCapacity: count * Self.largestNumber, initializingWith: body)
    }

    /// The bytes of a number of 64 bits, seven of which go into a byte.
    private static let largestNumber = 10

    /// Adds a number of any size: seven bits a byte, the lowest first.
    @inline(__always)
    mutating func append(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Adds a count, which is not negative.
    @inline(__always)
    mutating func append(count: Int) {
        append(UInt64(truncatingIfNeeded: count))
    }

    /// Adds a number with a sign, which is its lowest bit.
    @inline(__always)
    mutating func append(signed number: Int) {
        append(UInt64(bitPattern: Int64(number << 1 ^ number >> 63)))
    }

    /// Adds eight bytes, the lowest first.
    mutating func append(bits: UInt64) {
        append(words: [bits])
    }

    /// Adds numbers of eight bytes, the lowest first.
    mutating func append(words: ArraySlice<UInt64>) {
        bytes.reserveCapacity(bytes.count + 8 * words.count)
        for word in words { withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) } }
    }

    /// Adds bytes with their number before them.
    mutating func append(bytes added: some Collection<UInt8>) {
        append(count: added.count)
        bytes.append(contentsOf: added)
    }

    mutating func append(_ text: String) {
        append(bytes: Array(text.utf8))
    }

    /// Adds a text, or that there is none.
    mutating func append(optional text: String?) {
        append(count: text == nil ? 0 : 1)
        if let text { append(text) }
    }
}

extension OutputSpan where Element == UInt8 {
    /// Adds a number of any size as `SpoolEncoder` does.
    @inline(__always)
    mutating func append(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Adds a count, which is not negative.
    @inline(__always)
    mutating func append(count: Int) {
        append(number: UInt64(truncatingIfNeeded: count))
    }

    /// Adds a number with a sign, which is its lowest bit.
    @inline(__always)
    mutating func append(signed number: Int) {
        append(number: UInt64(bitPattern: Int64(number << 1 ^ number >> 63)))
    }

    /// Adds eight bytes, the lowest first.
    @inline(__always)
    mutating func append(bits: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
    }
}
