/// The slots of entities by the numbers that a store has for them, which are looked up for every row.
struct EntitySlots {
    /// By the number; -1 for one that no entity has.
    private var slots: [Int32] = []
    /// Of numbers that are too large for a list.
    private var others: [Int64: Int] = [:]

    private static let highestListed = 0xffff

    /// - Parameter numbers: by the slot; where two entities have one, it is the first one's.
    init(_ numbers: [Int]) {
        let listed = numbers.filter { (0...Self.highestListed).contains($0) }
        slots = [Int32](repeating: -1, count: (listed.max() ?? -1) + 1)
        for (slot, number) in numbers.enumerated().reversed() {
            if slots.indices.contains(number) {
                slots[number] = Int32(truncatingIfNeeded: slot)
            } else {
                others[Int64(number)] = slot
            }
        }
    }

    subscript(number: Int64) -> Int? {
        guard number >= 0, number < slots.count else { return others[number] }
        let slot = slots[Int(number)]
        return slot < 0 ? nil : Int(slot)
    }
}
