/// The slots of entities by their numbers in a store, which are looked up for every row.
struct EntitySlots {
    /// The slots by number; -1 for an unused number.
    private var slots: [Int32] = []
    /// The slots for numbers that are too large for an array.
    private var others: [Int64: Int] = [:]

    private static let highestListed = 0xffff

    /// - Parameter numbers: the numbers by slot; if two entities have the same one, the first is used.
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
