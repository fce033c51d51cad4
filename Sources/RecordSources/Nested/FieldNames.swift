import TextEncodings
/// The names that paths ask for, each with a number: readers of nested records compare numbers, not texts.
///
/// Only names that are asked for get a number, so that a source with endless different names takes no memory for them.
public struct FieldNames: Equatable, Sendable {
    /// The names, in the order of their numbers; an attribute's begins with `@`.
    public private(set) var names: [[UInt8]] = []
    /// Open addressing: a number plus one, 0 for a free place; at most half of the places are taken.
    private var slots = [Int32](repeating: 0, count: 32)
    /// The names that are not ASCII: they may be written in several ways, as a letter and its accent or as both in one.
    private var composed: [String: Int32] = [:]

    /// Makes a list without names.
    public init() {}

    /// The number of a name; a new one where it has none.
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

    /// The number of the name in a range of bytes; -1 where no path asks for it.
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

    /// The number of a name that is canonically equivalent: Swift's texts are equal and have one hash then.
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
