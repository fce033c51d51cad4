/// Numbers the names in a document in order of appearance, so that names can be compared as numbers.
///
/// libxml2 interns names: a name has the same address during the lifetime of the parser, so the addresses of its three
/// parts identify it. They are only compared here, and not dereferenced later.
struct XMLNameTable {
    struct Key: Equatable {
        var localName: UInt
        var prefix: UInt
        var namespaceURI: UInt
    }

    private(set) var names: [XMLName] = []
    private var keys: [Key] = []

    /// A hash table of indexes into `names`, -1 for free slots; its size is a power of 2, and at most half of it is
    /// used.
    private var slots = [Int32](repeating: -1, count: 256)

    /// Returns the index of a name; nil if it is new, and `slot` is then its position.
    func index(of key: Key, slot: inout Int) -> Int32? {
        var candidate = Self.hash(key) & (slots.count - 1)
        while true {
            let index = slots[candidate]
            if index < 0 {
                slot = candidate
                return nil
            }
            if keys[Int(index)] == key { return index }
            candidate = (candidate + 1) & (slots.count - 1)
        }
    }

    /// Adds a name at the slot that `index(of:slot:)` found.
    mutating func add(_ name: XMLName, key: Key, slot: Int) -> Int32 {
        let index = Int32(names.count)
        names.append(name)
        keys.append(key)
        slots[slot] = index
        if names.count * 2 > slots.count { grow() }
        return index
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for (index, key) in keys.enumerated() {
            var candidate = Self.hash(key) & (slots.count - 1)
            while slots[candidate] >= 0 { candidate = (candidate + 1) & (slots.count - 1) }
            slots[candidate] = Int32(index)
        }
    }

    private static func hash(_ key: Key) -> Int {
        // Addresses differ in their middle bits; multiplied by 2^64 over the golden ratio, they differ in the top ones.
        let mixed = (key.localName ^ (key.prefix &* 31) ^ (key.namespaceURI &* 17)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 32)
    }
}
