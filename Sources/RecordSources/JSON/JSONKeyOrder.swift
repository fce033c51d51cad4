/// The keys of a record in order. Most records of a source have the same keys as the record before, so their keys do
/// not need to be hashed.
///
/// No object in the record has a repeated key.
struct JSONKeyOrder {
    struct Limits: Equatable, Sendable {
        var keys = 512
        var bytes = 16 << 10
    }

    private struct Key {
        /// The object in the record that has the key, numbered in the order in which the objects begin.
        let object: Int32
        /// The number of the name among the requested names.
        let symbol: Int32
        let start: Int32
        let length: Int32
    }

    private let limits: Limits
    private var keys: [Key] = []
    /// The number of keys of the outermost object, if no other object is inside it; otherwise 0.
    private(set) var plainCount = 0
    /// The names of the keys, and one more word, so that a whole word can be read at any of their bytes.
    private var bytes = [UInt8](repeating: 0, count: wordLength)
    private static let wordLength = 8

    var count: Int { keys.count }
    private var byteCount: Int { bytes.count - JSONKeyOrder.wordLength }

    init(limits: Limits) {
        self.limits = limits
    }

    /// Returns the number and the length of the key at a place, if a text has this key in quotes at an offset.
    @inline(__always)
    func match(
        _ place: Int, of object: Int, _ text: Span<UInt8>, at range: Range<Int>
    ) -> (symbol: Int32, length: Int)? {
        guard place < keys.count else { return nil }
        let key = keys[place]
        let length = Int(key.length)
        guard Int(key.object) == object, range.count >= length + 2,
            text[range.lowerBound + length + 1] == UInt8(ascii: "\"")
        else { return nil }
        let start = range.lowerBound + 1
        guard range.upperBound - start >= length + JSONKeyOrder.wordLength else {
            for offset in 0..<length where text[start + offset] != bytes[Int(key.start) + offset] { return nil }
            return (key.symbol, length)
        }
        let known = bytes.span.bytes
        var offset = 0
        while offset < length {
            let word = text.bytes.unsafeLoadUnaligned(fromByteOffset: start + offset, as: UInt64.self)
            let other = known.unsafeLoadUnaligned(fromByteOffset: Int(key.start) + offset, as: UInt64.self)
            var difference = UInt64(littleEndian: word ^ other)
            // The bytes after the key are ignored.
            let excess = offset + JSONKeyOrder.wordLength - length
            if excess > 0 { difference &= .max >> UInt64(8 * excess) }
            if difference != 0 { return nil }
            offset += JSONKeyOrder.wordLength
        }
        return (key.symbol, length)
    }

    /// Calls a closure with the object and the bytes of each of the first keys.
    func forEach(first count: Int, _ body: (_ place: Int, _ object: Int, _ range: Range<Int>, [UInt8]) -> Void) {
        for place in 0..<count {
            let key = keys[place]
            body(place, Int(key.object), Int(key.start)..<Int(key.start + key.length), bytes)
        }
    }

    /// Removes the keys from a place on.
    mutating func truncate(to count: Int) {
        guard count < keys.count else { return }
        bytes.removeLast(byteCount - Int(keys[count].start))
        keys.removeLast(keys.count - count)
        plainCount = keys.allSatisfy { $0.object == 0 } ? count : 0
    }

    /// Appends a key; returns false if there are too many.
    mutating func append(_ text: Span<UInt8>, _ range: Range<Int>, object: Int, symbol: Int32) -> Bool {
        guard keys.count < limits.keys, byteCount + range.count <= limits.bytes else { return false }
        if object == 0, plainCount == keys.count { plainCount += 1 } else { plainCount = 0 }
        keys.append(
            Key(
                object: Int32(truncatingIfNeeded: object), symbol: symbol, start: Int32(byteCount),
                length: Int32(range.count)))
        bytes.removeLast(JSONKeyOrder.wordLength)
        for index in range { bytes.append(text[index]) }
        bytes.append(contentsOf: repeatElement(0, count: JSONKeyOrder.wordLength))
        return true
    }
}
