/// What has happened to objects since it was announced last.
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

    /// An object that was new has never been there.
    mutating func delete(_ object: ManagedObject) {
        updated.remove(object)
        if inserted.contains(object) { inserted.remove(object) } else { deleted.append(object) }
    }

    mutating func refresh(_ object: ManagedObject) { refreshed.append(object) }
}
