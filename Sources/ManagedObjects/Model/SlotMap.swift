/// Values for a few slots: objects change few of their properties, so a linear search is faster than a dictionary.
struct SlotMap<Value> {
    private(set) var entries: [(slot: Int, value: Value)] = []

    var isEmpty: Bool { entries.isEmpty }

    subscript(slot: Int) -> Value? {
        get { entries.first { $0.slot == slot }?.value }
        set {
            if let index = entries.firstIndex(where: { $0.slot == slot }) {
                if let newValue { entries[index].value = newValue } else { entries.remove(at: index) }
            } else if let newValue {
                entries.append((slot, newValue))
            }
        }
    }

    mutating func removeAll(where isRemoved: (Int, Value) -> Bool) {
        entries.removeAll { isRemoved($0.slot, $0.value) }
    }
}
