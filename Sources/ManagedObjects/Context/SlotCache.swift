import ManagedObjectModels

/// The slots of attributes that were asked for by their names lately, so that most names need not be hashed.
struct SlotCache {
    private struct Entry {
        let shape: EntityShape
        let name: String
        let slot: Int
    }

    private static let count = 16
    private var entries = [Entry?](repeating: nil, count: SlotCache.count)

    func slot(of name: String, in shape: EntityShape) -> Int? {
        guard let entry = entries[Self.place(name, shape)], entry.shape === shape, entry.name == name else {
            return nil
        }
        return entry.slot
    }

    mutating func note(_ slot: Int, of name: String, in shape: EntityShape) {
        entries[Self.place(name, shape)] = Entry(shape: shape, name: name, slot: slot)
    }

    /// Names of one length share a place: the last one has it.
    private static func place(_ name: String, _ shape: EntityShape) -> Int {
        (name.utf8.count &+ 5 &* shape.entity.slot) & (count - 1)
    }
}
