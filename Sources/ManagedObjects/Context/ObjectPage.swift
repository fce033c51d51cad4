/// Unowned references to the objects with sixteen adjacent keys.
final class ObjectPage {
    /// An object removes itself in its deinitializer, so no reference counting is needed.
    private struct Entry {
        unowned(unsafe) var object: ManagedObject?
    }

    /// A bit for each key that has an object. The object itself is never examined, since it may be about to be
    /// deallocated.
    @exclusivity(unchecked) private var taken: UInt16 = 0
    @exclusivity(unchecked) private var entries = InlineArray<16, Entry>(repeating: Entry(object: nil))

    /// Returns the number of the page with a key: all but the key's last four bits.
    static func number(of key: Int64) -> Int64 { key >> 4 }

    /// Returns the minimum number of pages for a number of objects.
    static func count(ofObjects count: Int) -> Int { (count + 15) / 16 }

    private static func place(of key: Int64) -> Int { Int(truncatingIfNeeded: key & 15) }

    var isEmpty: Bool { taken == 0 }

    func has(_ key: Int64) -> Bool { taken & (1 << Self.place(of: key)) != 0 }

    /// The objects of the page, in the order of their keys.
    var objects: [ManagedObject] {
        entries.indices.compactMap { taken & (1 << $0) == 0 ? nil : entries[$0].object }
    }

    subscript(key: Int64) -> ManagedObject? {
        let place = Self.place(of: key)
        return taken & (1 << place) == 0 ? nil : entries[place].object
    }

    /// Adds an object, or replaces the one with the same key.
    ///
    /// - Returns: whether there was no object with the key.
    func insert(_ object: ManagedObject, _ key: Int64) -> Bool {
        let place = Self.place(of: key)
        let isNew = taken & (1 << place) == 0
        taken |= 1 << place
        entries[place].object = object
        return isNew
    }

    /// Returns whether there was an object.
    func remove(_ key: Int64) -> Bool {
        let place = Self.place(of: key)
        guard taken & (1 << place) != 0 else { return false }
        taken &= ~(1 << place)
        entries[place].object = nil
        return true
    }
}
