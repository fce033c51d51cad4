/// The keys of all objects in a record, to find repeated keys in time proportional to their number.
struct JSONKeySet {
    private struct Slot {
        var generation: UInt32 = 0
        var tag: UInt32 = 0
        var object: Int32 = 0
        var node: Int32 = 0
        var start: Int32 = 0
        var length: Int32 = 0
    }

    private var slots = [Slot](repeating: Slot(), count: 64)
    /// The bytes of the keys that are in the set.
    private var bytes: [UInt8] = []
    private var generation: UInt32 = 1
    private var count = 0

    /// Removes all keys in constant time: the entries of earlier records count as free.
    mutating func reset() {
        count = 0
        bytes.removeAll(keepingCapacity: true)
        generation &+= 1
        guard generation == 0 else { return }
        slots = [Slot](repeating: Slot(), count: slots.count)
        generation = 1
    }

    /// Adds a key of an object; returns the node of the same key in the same object, if there is one.
    mutating func insert(_ text: Span<UInt8>, _ range: Range<Int>, object: Int, node: Int) -> Int? {
        if count * 2 >= slots.count { grow() }
        let hash = ByteHash.hash(text, range, salt: UInt64(truncatingIfNeeded: object))
        let tag = UInt32(truncatingIfNeeded: hash &>> 32)
        var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[index].generation == generation {
            let slot = slots[index]
            if slot.tag == tag && Int(slot.object) == object && isEqual(slot, text, range) {
                slots[index].node = Int32(truncatingIfNeeded: node)
                return Int(slot.node)
            }
            index = (index + 1) & (slots.count - 1)
        }
        slots[index] = Slot(
            generation: generation, tag: tag, object: Int32(truncatingIfNeeded: object),
            node: Int32(truncatingIfNeeded: node), start: Int32(truncatingIfNeeded: bytes.count),
            length: Int32(truncatingIfNeeded: range.count))
        for position in range { bytes.append(text[position]) }
        count += 1
        return nil
    }

    private func isEqual(_ slot: Slot, _ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard Int(slot.length) == range.count else { return false }
        for offset in 0..<range.count where bytes[Int(slot.start) + offset] != text[range.lowerBound + offset] {
            return false
        }
        return true
    }

    private mutating func grow() {
        let old = slots.filter { $0.generation == generation }
        slots = [Slot](repeating: Slot(), count: slots.count * 2)
        for slot in old {
            let range = Int(slot.start)..<Int(slot.start) + Int(slot.length)
            let hash = ByteHash.hash(bytes.span, range, salt: UInt64(truncatingIfNeeded: Int(slot.object)))
            var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
            while slots[index].generation == generation { index = (index + 1) & (slots.count - 1) }
            slots[index] = slot
        }
    }
}
