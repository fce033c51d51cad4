import ManagedObjectModels

/// The slots of attributes that were asked for by their names lately, so that most names need not be hashed.
struct SlotCache {
    private static let count = 16
    private var shapes = [EntityShape?](repeating: nil, count: SlotCache.count)
    private var names = [String](repeating: "", count: SlotCache.count)
    private var slots = [Int](repeating: 0, count: SlotCache.count)

    func slot(of name: String, in shape: EntityShape) -> Int? {
        let place = Self.place(name, shape)
        guard shapes[place] === shape, names[place] == name else { return nil }
        return slots[place]
    }

    mutating func note(_ slot: Int, of name: String, in shape: EntityShape) {
        let place = Self.place(name, shape)
        (shapes[place], names[place], slots[place]) = (shape, name, slot)
    }

    /// Names of one length share a place: the last one has it.
    private static func place(_ name: String, _ shape: EntityShape) -> Int {
        (name.utf8.count &+ 5 &* shape.entity.slot) & (count - 1)
    }
}
