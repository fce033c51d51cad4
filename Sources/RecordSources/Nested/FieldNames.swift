import TextEncodings
/// The names in paths, each with a number, so that readers of nested records can compare numbers instead of texts.
///
/// Only names that are requested get a number, so a source with an unlimited number of names takes no memory for them.
public struct FieldNames: Equatable, Sendable {
    /// The names in the order of their numbers; names of attributes begin with `@`.
    public private(set) var names: [[UInt8]] = []
    /// A hash table with open addressing: each slot holds a number plus one, or 0 if it is free. At most half of the
    /// slots are used.
    private var slots = [Int32](repeating: 0, count: 32)
    /// The names that are not ASCII. They may be written in several ways, such as with composed or decomposed accents.
    private var composed: [String: Int32] = [:]

    /// Creates an empty list.
    public init() {}

    /// Returns the number of a name; adds the name if it is new.
    public mutating func number(of name: String) -> Int32 {
        let bytes = Array(name.utf8)
        let known = find(bytes.span, 0..<bytes.count)
        if known >= 0 { return known }
        if bytes.contains(where: { $0 >= 0x80 }) { composed[name] = Int32(names.count) }
        names.append(bytes)
        if names.count * 2 > slots.count {
            slots = [Int32](repeating: 0, count: slots.count * 2)
            for index in names.indices { insert(index) }
        } else {
            insert(names.count - 1)
        }
        return Int32(names.count - 1)
    }

    private mutating func insert(_ index: Int) {
        let name = names[index]
        var slot = Int(truncatingIfNeeded: ByteHash.hash(name.span, 0..<name.count)) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(index + 1)
    }

    /// Returns the number of the name in a range of bytes; -1 if no path requests it.
    func find(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int32 {
        find(bytes, range, hash: ByteHash.hash(bytes, range))
    }

    func find(_ bytes: Span<UInt8>, _ range: Range<Int>, hash: UInt64) -> Int32 {
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if names[index].count == range.count && isEqual(index, bytes, range) { return Int32(index) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return composed.isEmpty ? -1 : findComposed(bytes, range)
    }

    /// Returns the number of a canonically equivalent name. Swift's strings are equal and have equal hashes then.
    private func findComposed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int32 {
        for index in range where bytes[index] >= 0x80 {
            return composed[String(copying: bytes.extracting(range))] ?? -1
        }
        return -1
    }

    private func isEqual(_ index: Int, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for (offset, byte) in names[index].enumerated() where bytes[range.lowerBound + offset] != byte { return false }
        return true
    }
}
