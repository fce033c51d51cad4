/// An ordered set of keys; adding and removing take constant time.
struct KeyList {
    private var places: [ObjectKey: Int] = [:]
    private var slots: [ObjectKey?] = []

    init() {}

    init(_ keys: some Sequence<ObjectKey>) {
        for key in keys { append(key) }
    }

    var isEmpty: Bool { places.isEmpty }
    var count: Int { places.count }
    var keys: [ObjectKey] { slots.compactMap { $0 } }

    func contains(_ key: ObjectKey) -> Bool { places[key] != nil }

    /// Appends a key, unless it is in the list.
    mutating func append(_ key: ObjectKey) {
        guard places[key] == nil else { return }
        places[key] = slots.count
        slots.append(key)
    }

    /// Removes a key. Returns whether it was in the list.
    @discardableResult
    mutating func remove(_ key: ObjectKey) -> Bool {
        guard let place = places.removeValue(forKey: key) else { return false }
        slots[place] = nil
        if slots.count > 16, slots.count > 2 * places.count { self = KeyList(keys) }
        return true
    }
}
