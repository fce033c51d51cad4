/// The changes of objects since the last announcement.
struct ChangeSet {
    private(set) var inserted = ObjectList()
    private(set) var updated = ObjectList()
    private(set) var deleted = ObjectList()
    private(set) var refreshed = ObjectList()

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }

    mutating func insert(_ object: ManagedObject) {
        deleted.remove(object)
        inserted.append(object)
    }

    mutating func update(_ object: ManagedObject) {
        if !inserted.contains(object) { updated.append(object) }
    }

    /// Records a deletion; an object that was new is removed from the set.
    mutating func delete(_ object: ManagedObject) {
        updated.remove(object)
        if inserted.contains(object) { inserted.remove(object) } else { deleted.append(object) }
    }

    mutating func refresh(_ object: ManagedObject) { refreshed.append(object) }
}
