import SQLiteAccess

/// The decoder of the content of a spool's block. Inconsistent content is an error, no matter what the bytes are.
struct SpoolDecoder {
    /// An error in a block.
    struct Fault: Error {
        /// The offset in the block's content at which it was detected.
        let place: Int
    }

    private let bytes: [UInt8]
    private(set) var place = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var fault: Fault { Fault(place: place) }

    /// The number of bytes that have not been read.
    var remaining: Int { bytes.count - place }

    @inline(__always)
    mutating func number() throws(Fault) -> UInt64 {
        guard place < bytes.count else { throw fault }
        let first = bytes[place]
        guard first >= 0x80 else {
            place += 1
            return UInt64(first)
        }
        return try longNumber()
    }

    private mutating func longNumber() throws(Fault) -> UInt64 {
        let held = bytes
        var end = place
        let number = try Self.number(held.span, &end)
        place = end
        return number
    }

    @inline(__always)
    private static func number(_ bytes: Span<UInt8>, _ place: inout Int) throws(Fault) -> UInt64 {
        guard place < bytes.count else { throw Fault(place: place) }
        let first = bytes[place]
        place += 1
        if first < 0x80 { return UInt64(first) }
        if place < bytes.count, bytes[place] < 0x80 {
            defer { place += 1 }
            return UInt64(first & 0x7F) | UInt64(bytes[place]) << 7
        }
        var result = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while true {
            guard place < bytes.count, shift < 64 else { throw Fault(place: place) }
            let byte = bytes[place]
            place += 1
            let bits = UInt64(byte & 0x7F)
            guard shift < 63 || bits <= 1 else { throw Fault(place: place) }
            result |= bits << shift
            if byte < 0x80 { return result }
            shift += 7
        }
    }

    /// Reads a number from 0 to `limit`.
    @inline(__always)
    mutating func count(atMost limit: Int) throws(Fault) -> Int {
        let number = try number()
        guard number <= UInt64(limit) else { throw fault }
        return Int(number)
    }

    /// Reads the number of items that follow, each of which takes at least one byte.
    mutating func count() throws(Fault) -> Int {
        let number = try number()
        // The number of bytes that remain after the number itself.
        guard number <= UInt64(remaining) else { throw fault }
        return Int(number)
    }

    @inline(__always)
    mutating func signed() throws(Fault) -> Int { Self.signed(try number()) }

    @inline(__always)
    private static func signed(_ bits: UInt64) -> Int {
        Int(Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1))
    }

    /// Reads a number that is encoded as its distance from another one.
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

    /// Reads bytes after their number.
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

    /// Checks that nothing follows.
    func finish() throws(Fault) {
        guard remaining == 0 else { throw fault }
    }

    // MARK: Values

    /// Reads a value (docs/format/spools.md#batches); nil if the writer must convert it.
    ///
    /// - Parameters:
    ///   - end: the end in the arena of the value before; set to the end of this value.
    ///   - arenaCount: the number of bytes in the arena.
    mutating func value(behind end: inout Int, arenaCount: Int) throws(Fault) -> ArenaValue? {
        let held = bytes
        var place = place
        let value = try Self.value(held.span, &place, behind: &end, arenaCount)
        self.place = place
        return value
    }

    /// Fills an array with as many values as it has elements, with NULL for values that the writer must convert.
    ///
    /// - Parameter isConverted: receives whether each value is converted; empty if this is not needed.
    mutating func fill(
        _ values: inout [ArenaValue], _ isConverted: inout [Bool], behind end: inout Int, arenaCount: Int
    ) throws(Fault) {
        // Local variables, which the compiler knows that the loop's writes cannot change.
        let held = bytes
        let bytes = held.span
        var (place, last) = (place, end)
        var values = values.mutableSpan
        var flags = isConverted.mutableSpan
        for index in values.indices {
            let value = try Self.value(bytes, &place, behind: &last, arenaCount)
            values[index] = value ?? .null
            if !flags.isEmpty { flags[index] = value != nil }
        }
        (self.place, end) = (place, last)
    }

    @inline(__always)
    private static func value(
        _ bytes: Span<UInt8>, _ place: inout Int, behind end: inout Int, _ arenaCount: Int
    ) throws(Fault) -> ArenaValue? {
        let word = try number(bytes, &place)
        guard word <= UInt64(UInt32.max) << 3 else { throw Fault(place: place) }
        switch word & 7 {
        case 0: return .null
        case 1: return .integer(Int64(signed(try number(bytes, &place))))
        case 2:
            guard bytes.count - place >= 8 else { throw Fault(place: place) }
            defer { place += 8 }
            return .real(Double(bitPattern: KeyHash.word(bytes, at: place)))
        case 3, 4:
            let length = Int(word >> 3)
            let (start, isTooLarge) = end.addingReportingOverflow(signed(try number(bytes, &place)))
            guard !isTooLarge, start >= 0, start <= arenaCount, length <= arenaCount - start else {
                throw Fault(place: place)
            }
            end = start + length
            let range = ArenaRange(start: start, count: length)
            return word & 7 == 3 ? .text(range) : .blob(range)
        case ArenaValue.unconverted: return nil
        default: throw Fault(place: place)
        }
    }
}
