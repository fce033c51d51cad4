import ManagedObjectModels

/// The slots of attributes that were asked for by their names lately, so that most names need not be hashed.
struct SlotCache {
    private struct Entry {
        /// Shapes stay as long as the context's coordinator.
        var shape: ObjectIdentifier?
        var name = ""
        var slot = 0
    }

    private static let count = 16
    private var entries = [Entry](repeating: Entry(), count: SlotCache.count)

    func slot(of name: String, in shape: EntityShape) -> Int? {
        let id = ObjectIdentifier(shape)
        let place = Self.place(name, id)
        guard entries[place].shape == id, entries[place].name == name else { return nil }
        return entries[place].slot
    }

    mutating func note(_ slot: Int, of name: String, in shape: EntityShape) {
        let id = ObjectIdentifier(shape)
        entries[Self.place(name, id)] = Entry(shape: id, name: name, slot: slot)
    }

    /// Names of one length share a place: the last one has it.
    private static func place(_ name: String, _ shape: ObjectIdentifier) -> Int {
        // Shapes lie in memory at multiples of 16.
        (name.utf8.count &+ 5 &* (Int(bitPattern: shape) >> 4)) & (count - 1)
    }
}
