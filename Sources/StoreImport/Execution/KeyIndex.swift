import RecordConversion
import SQLiteAccess

/// A set of keys with the object of each, in flat arrays, for tables that are small enough to be kept in memory.
struct KeyIndex {
    struct Target: Equatable {
        var primaryKey: Int64
        /// The number of the entity.
        var entity: Int64
    }

    private struct Place {
        var start: Int
        var end: Int
        var target: Target
    }

    private var arena: [UInt8] = []
    private var places: [Place] = []
    /// The hash table, with open addressing: an index in `places` plus one, or 0 for a free slot. At most half of the
    /// slots are used.
    private var slots = [Int32](repeating: 0, count: 64)

    var count: Int { places.count }
    /// The number of bytes in all keys.
    var byteCount: Int { arena.count }

    func target(of key: some Collection<UInt8>) -> Target? {
        Self.withSpan(of: key) { key in
            target(KeyHash.value(of: key)) { KeyHash.isEqual(arena.span.extracting($0.start..<$0.end), key) }
        }
    }

    /// Returns the object with a key of one value; nil if there is none, or for NULL.
    @inline(__always)
    func target(of value: ConvertedValue, in bytes: Span<UInt8>) -> Target? {
        var hash = KeyHash()
        guard hash.add(value, in: bytes) else { return nil }
        let arena = arena.span
        switch value {
        case .text(let range), .blob(let range):
            let bytes = bytes.extracting(range.range)
            let tag = if case .text = value { KeyBytes.textTag } else { KeyBytes.blobTag }
            return target(hash.value) { place in
                // The value is preceded by a tag and the number of its bytes.
                place.end - place.start == bytes.count + 9 && arena[place.start] == tag
                    && KeyHash.isEqual(arena.extracting(place.start + 9..<place.end), bytes)
            }
        default:
            var key: [UInt8] = []
            _ = KeyBytes.append(value, in: [], to: &key)
            return target(hash.value) { KeyHash.isEqual(arena.extracting($0.start..<$0.end), key.span) }
        }
    }

    @inline(__always)
    private func target(_ hash: UInt64, _ isMeant: (Place) -> Bool) -> Target? {
        let slots = slots.span
        let places = places.span
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let place = places[Int(slots[slot]) - 1]
            if isMeant(place) { return place.target }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private static func withSpan<Result>(of key: some Collection<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result {
        // All keys that are looked up are arrays or slices of arrays.
        key.withContiguousStorageIfAvailable { body($0.span) } ?? body(Array(key).span)
    }

    /// Adds a key; returns false if it exists already, and then keeps the first object.
    @discardableResult
    mutating func insert(_ key: some Collection<UInt8>, _ target: Target) -> Bool {
        if self.target(of: key) != nil { return false }
        let start = arena.count
        arena.append(contentsOf: key)
        places.append(Place(start: start, end: arena.count, target: target))
        if places.count * 2 > slots.count {
            slots = [Int32](repeating: 0, count: slots.count * 2)
            for index in places.indices { place(index) }
        } else {
            place(places.count - 1)
        }
        return true
    }

    mutating func removeAll() {
        arena.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        for index in slots.indices { slots[index] = 0 }
    }

    private mutating func place(_ index: Int) {
        let hash = KeyHash.value(of: arena.span.extracting(places[index].start..<places[index].end))
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(index + 1)
    }
}
