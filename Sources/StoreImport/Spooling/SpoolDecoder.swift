/// Reads the content of a block of a spool; what does not hold together is an error, whatever the bytes are.
struct SpoolDecoder {
    /// What is wrong with a block.
    struct Fault: Error {
        /// The byte of the block's content at which it shows.
        let place: Int
    }

    private let bytes: [UInt8]
    private(set) var place = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var fault: Fault { Fault(place: place) }

    /// How many bytes are left.
    var remaining: Int { bytes.count - place }

    @inline(__always)
    mutating func number() throws(Fault) -> UInt64 {
        guard place < bytes.count else { throw fault }
        let first = bytes[place]
        place += 1
        if first < 0x80 { return UInt64(first) }
        if place < bytes.count, bytes[place] < 0x80 {
            defer { place += 1 }
            return UInt64(first & 0x7F) | UInt64(bytes[place]) << 7
        }
        return try longNumber(UInt64(first & 0x7F))
    }

    private mutating func longNumber(_ first: UInt64) throws(Fault) -> UInt64 {
        var result = first
        var shift: UInt64 = 7
        while true {
            guard place < bytes.count, shift < 64 else { throw fault }
            let byte = bytes[place]
            place += 1
            let bits = UInt64(byte & 0x7F)
            guard shift < 63 || bits <= 1 else { throw fault }
            result |= bits << shift
            if byte < 0x80 { return result }
            shift += 7
        }
    }

    /// A number from 0 to `limit`.
    @inline(__always)
    mutating func count(atMost limit: Int) throws(Fault) -> Int {
        let number = try number()
        guard number <= UInt64(limit) else { throw fault }
        return Int(number)
    }

    /// The number of things that follow, each of which takes at least a byte.
    mutating func count() throws(Fault) -> Int {
        let number = try number()
        // What is left behind the number itself.
        guard number <= UInt64(remaining) else { throw fault }
        return Int(number)
    }

    @inline(__always)
    mutating func signed() throws(Fault) -> Int {
        let bits = try number()
        return Int(Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1))
    }

    /// A sum that stands as its distance from another number.
    @inline(__always)
    mutating func number(from base: Int, within range: ClosedRange<Int>) throws(Fault) -> Int {
        let (sum, isTooLarge) = base.addingReportingOverflow(try signed())
        guard !isTooLarge, range.contains(sum) else { throw fault }
        return sum
    }

    mutating func bits() throws(Fault) -> UInt64 {
        guard remaining >= 8 else { throw fault }
        defer { place += 8 }
        return KeyHash.word(bytes.span, at: place)
    }

    /// Bytes behind their number.
    mutating func data() throws(Fault) -> ArraySlice<UInt8> {
        let count = try count()
        defer { place += count }
        return bytes[place..<place + count]
    }

    mutating func text() throws(Fault) -> String { String(decoding: try data(), as: UTF8.self) }

    mutating func optionalText() throws(Fault) -> String? {
        try flag() ? try text() : nil
    }

    mutating func flag() throws(Fault) -> Bool { try count(atMost: 1) == 1 }

    /// Makes sure that nothing follows.
    func finish() throws(Fault) {
        guard remaining == 0 else { throw fault }
    }
}
