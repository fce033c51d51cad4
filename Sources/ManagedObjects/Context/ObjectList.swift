/// Strong references to objects, without duplicates, in the order in which they were added.
struct ObjectList {
    private var places: [ObjectIdentifier: Int] = [:]
    private var slots: [ManagedObject?] = []

    var isEmpty: Bool { places.isEmpty }
    var count: Int { places.count }
    var objects: [ManagedObject] { slots.compactMap { $0 } }

    func contains(_ object: ManagedObject) -> Bool { places[ObjectIdentifier(object)] != nil }

    mutating func append(_ object: ManagedObject) {
        let id = ObjectIdentifier(object)
        guard places[id] == nil else { return }
        places[id] = slots.count
        slots.append(object)
    }

    mutating func remove(_ object: ManagedObject) {
        guard let place = places.removeValue(forKey: ObjectIdentifier(object)) else { return }
        slots[place] = nil
        if slots.count > 16, slots.count > 2 * places.count {
            let rest = objects
            self = ObjectList()
            rest.forEach { append($0) }
        }
    }

    /// Removes objects; efficient also for many.
    mutating func remove(_ objects: [ManagedObject]) {
        if objects.count == count { self = ObjectList() } else { objects.forEach { remove($0) } }
    }
}
