/// The objects that a to-many relationship leads to: what the store has, as far as it was read, and the changes.
struct ToManyState {
    /// A link as the store has it.
    struct Link {
        let key: ObjectKey
        /// The place in an ordered relationship.
        let order: Int64
    }

    /// What the store has, in order; nil as long as no one has asked.
    var base: [Link]?
    private(set) var added = KeyList()
    private(set) var removed: Set<ObjectKey> = []
    /// All objects in the order that somebody gave them; nil for that of the store, with new ones at the end.
    private(set) var order: [ObjectKey]?

    var isChanged: Bool { !added.isEmpty || !removed.isEmpty || order != nil }

    /// The objects; the store's must have been read.
    var keys: [ObjectKey] {
        if let order { return order }
        let kept = (base ?? []).lazy.map(\.key)
        return (removed.isEmpty ? Array(kept) : kept.filter { !removed.contains($0) }) + added.keys
    }

    /// Adds a link that is not there.
    ///
    /// - Parameter isOrdered: whether what comes back goes to the end, and not to its old place.
    mutating func add(_ key: ObjectKey, isOrdered: Bool) {
        if !isOrdered, removed.remove(key) != nil { return }
        added.append(key)
        order?.append(key)
    }

    /// Removes a link that is there.
    mutating func remove(_ key: ObjectKey) {
        if !added.remove(key) { removed.insert(key) }
        order?.removeAll { $0 == key }
    }

    /// Gives the objects, which must be those that are there, another order.
    mutating func reorder(_ keys: [ObjectKey]) {
        order = keys
        if added.isEmpty, removed.isEmpty, let base, base.lazy.map(\.key).elementsEqual(keys) { order = nil }
    }

    /// What is there now becomes what the store has.
    ///
    /// - Parameter orders: the places in an ordered relationship.
    mutating func settle(_ orders: [ObjectKey: Int64]) {
        if let base {
            let old = Dictionary(base.map { ($0.key, $0.order) }, uniquingKeysWith: { first, _ in first })
            self.base = keys.map { Link(key: $0, order: orders[$0] ?? old[$0] ?? 0) }
        }
        forgetChanges()
    }

    mutating func forgetChanges() {
        added = KeyList()
        removed = []
        order = nil
    }

    /// Puts the keys of saved objects in the place of those that they had before.
    mutating func replaceKeys(_ keys: [ObjectKey: ObjectKey]) {
        func new(_ key: ObjectKey) -> ObjectKey { key.isTemporary ? keys[key] ?? key : key }
        base = base?.map { Link(key: new($0.key), order: $0.order) }
        added = KeyList(added.keys.map(new))
        removed = Set(removed.map(new))
        order = order?.map(new)
    }
}
