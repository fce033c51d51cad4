/// The objects of one table by their keys, without holding them: a hash table with open addressing.
///
/// Neighbours among the keys lie beside each other, since objects are mostly asked for in the order of their keys. Where
/// each sixteen of them lie is a matter of a number that every process draws, so that no store can have all of its keys
/// at one place. Nothing looks at an object but the one that is asked for: another may be about to go.
struct ObjectTable {
    private struct Entry {
        unowned var object: ManagedObject?
    }

    /// Stands at places without an object. The one object that may have this key is kept apart.
    private static let none = Int64.min

    private static let multiplier = UInt64.random(in: .min ... .max) | 1

    private var keys: [Int64] = []
    private var entries: [Entry] = []
    private var lowest = Entry(object: nil)
    private var hasLowest = false
    /// The capacity, a power of two, less one; -1 for none.
    private var mask = -1
    private var used = 0

    var count: Int { used + (hasLowest ? 1 : 0) }

    /// All objects, in no order.
    var objects: [ManagedObject] {
        var result: [ManagedObject] = []
        result.reserveCapacity(count)
        if hasLowest, let object = lowest.object { result.append(object) }
        for (place, key) in keys.enumerated() where key != Self.none {
            if let object = entries[place].object { result.append(object) }
        }
        return result
    }

    subscript(key: Int64) -> ManagedObject? {
        guard key != Self.none else { return hasLowest ? lowest.object : nil }
        guard used > 0 else { return nil }
        let place = self.place(of: key)
        return keys[place] == key ? entries[place].object : nil
    }

    /// Has an object in the place of another one, if there is one with its key.
    mutating func insert(_ object: ManagedObject, _ key: Int64) {
        guard key != Self.none else {
            (lowest, hasLowest) = (Entry(object: object), true)
            return
        }
        // At most three quarters are taken.
        if 4 * (used + 1) > 3 * keys.count { resize(to: max(16, 2 * keys.count)) }
        let place = self.place(of: key)
        if keys[place] == Self.none { used += 1 }
        keys[place] = key
        entries[place].object = object
    }

    mutating func remove(_ key: Int64) {
        guard key != Self.none else {
            (lowest, hasLowest) = (Entry(object: nil), false)
            return
        }
        guard used > 0 else { return }
        var hole = self.place(of: key)
        guard keys[hole] == key else { return }
        used -= 1
        guard used > 0 else {
            (keys, entries, mask) = ([], [], -1)
            return
        }
        entries[hole].object = nil
        keys[hole] = Self.none
        // Those behind move up, so that no search ends before them.
        var place = (hole + 1) & mask
        while keys[place] != Self.none {
            let distance = (place - home(of: keys[place])) & mask
            if distance >= (place - hole) & mask {
                keys.swapAt(hole, place)
                entries.swapAt(hole, place)
                hole = place
            }
            place = (place + 1) & mask
        }
    }

    /// Where a key is, or would be.
    private func place(of key: Int64) -> Int {
        var place = home(of: key)
        while keys[place] != key, keys[place] != Self.none { place = (place + 1) & mask }
        return place
    }

    /// Where the search for a key begins.
    private func home(of key: Int64) -> Int {
        let number = UInt64(bitPattern: key)
        let group = (number >> 4) &* Self.multiplier
        return Int(truncatingIfNeeded: (group >> 32) << 4 | number & 15) & mask
    }

    private mutating func resize(to capacity: Int) {
        var oldKeys = [Int64](repeating: Self.none, count: capacity)
        var oldEntries = [Entry](repeating: Entry(object: nil), count: capacity)
        swap(&keys, &oldKeys)
        swap(&entries, &oldEntries)
        mask = capacity - 1
        for (place, key) in oldKeys.enumerated() where key != Self.none {
            let new = self.place(of: key)
            keys[new] = key
            swap(&entries[new], &oldEntries[place])
        }
    }
}
