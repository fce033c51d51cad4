/// The objects of sixteen neighbouring keys, without holding them.
final class ObjectPage {
    /// An object leaves as the last thing that it does, so that the reference need not be counted.
    private struct Entry {
        unowned(unsafe) var object: ManagedObject?
    }

    /// A bit for each key that has an object. Nothing looks at an object to see whether it is there: it may be about to
    /// go.
    @exclusivity(unchecked) private var taken: UInt16 = 0
    @exclusivity(unchecked) private var entries = InlineArray<16, Entry>(repeating: Entry(object: nil))

    /// What the keys of a page have in common: all but their last four bits.
    static func number(of key: Int64) -> Int64 { key >> 4 }

    /// How many pages so many objects take at least.
    static func count(ofObjects count: Int) -> Int { (count + 15) / 16 }

    private static func place(of key: Int64) -> Int { Int(truncatingIfNeeded: key & 15) }

    var isEmpty: Bool { taken == 0 }

    func has(_ key: Int64) -> Bool { taken & (1 << Self.place(of: key)) != 0 }

    /// The objects that are there, in the order of their keys.
    var objects: [ManagedObject] {
        entries.indices.compactMap { taken & (1 << $0) == 0 ? nil : entries[$0].object }
    }

    subscript(key: Int64) -> ManagedObject? {
        let place = Self.place(of: key)
        return taken & (1 << place) == 0 ? nil : entries[place].object
    }

    /// Has an object in the place of another one, if there is one with its key.
    ///
    /// - Returns: whether there was none.
    func insert(_ object: ManagedObject, _ key: Int64) -> Bool {
        let place = Self.place(of: key)
        let isNew = taken & (1 << place) == 0
        taken |= 1 << place
        entries[place].object = object
        return isNew
    }

    /// Whether there was an object.
    func remove(_ key: Int64) -> Bool {
        let place = Self.place(of: key)
        guard taken & (1 << place) != 0 else { return false }
        taken &= ~(1 << place)
        entries[place].object = nil
        return true
    }
}
