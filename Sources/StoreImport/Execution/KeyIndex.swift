/// A set of keys with the object of each, in flat arrays: for reference tables that are small enough to be kept whole.
struct KeyIndex {
    struct Target: Equatable {
        var primaryKey: Int64
        /// The entity number.
        var entity: Int64
    }

    private var arena: [UInt8] = []
    private var starts: [Int] = []
    private var ends: [Int] = []
    private var targets: [Target] = []
    /// Open addressing: an index plus one, 0 for a free place; at most half of the places are taken.
    private var slots = [Int32](repeating: 0, count: 64)

    var count: Int { targets.count }
    /// The bytes of all keys.
    var byteCount: Int { arena.count }

    func target(of key: some Collection<UInt8>) -> Target? {
        var slot = Int(truncatingIfNeeded: KeyBytes.hash(key)) & (slots.count - 1)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if arena[starts[index]..<ends[index]].elementsEqual(key) { return targets[index] }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds a key; false where it is there already, and then the first object stays.
    @discardableResult
    mutating func insert(_ key: some Collection<UInt8>, _ target: Target) -> Bool {
        if self.target(of: key) != nil { return false }
        starts.append(arena.count)
        arena.append(contentsOf: key)
        ends.append(arena.count)
        targets.append(target)
        if targets.count * 2 > slots.count {
            slots = [Int32](repeating: 0, count: slots.count * 2)
            for index in targets.indices { place(index) }
        } else {
            place(targets.count - 1)
        }
        return true
    }

    mutating func removeAll() {
        arena.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        targets.removeAll(keepingCapacity: true)
        for index in slots.indices { slots[index] = 0 }
    }

    private mutating func place(_ index: Int) {
        var slot = Int(truncatingIfNeeded: KeyBytes.hash(arena[starts[index]..<ends[index]])) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(index + 1)
    }
}
