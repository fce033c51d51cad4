/// The objects of a to-many relationship: the stored links, as far as they were read, and the changes.
struct ToManyState {
    /// A stored link.
    struct Link {
        let key: ObjectKey
        /// The order key in an ordered relationship.
        let order: Int64
    }

    /// The stored links, in order; nil until they are read.
    var base: [Link]?
    private(set) var added = KeyList()
    private(set) var removed: Set<ObjectKey> = []
    /// All objects in an explicit order; nil for the stored order, with new objects at the end.
    private(set) var order: [ObjectKey]?

    var isChanged: Bool { !added.isEmpty || !removed.isEmpty || order != nil }

    /// The objects; the stored links must have been read.
    var keys: [ObjectKey] {
        if let order { return order }
        let kept = (base ?? []).lazy.map(\.key)
        return (removed.isEmpty ? Array(kept) : kept.filter { !removed.contains($0) }) + added.keys
    }

    /// Adds a link that does not exist.
    ///
    /// - Parameter isOrdered: whether a link that is added again goes to the end instead of its old position.
    mutating func add(_ key: ObjectKey, isOrdered: Bool) {
        if !isOrdered, removed.remove(key) != nil { return }
        added.append(key)
        order?.append(key)
    }

    /// Removes an existing link.
    mutating func remove(_ key: ObjectKey) {
        if !added.remove(key) { removed.insert(key) }
        order?.removeAll { $0 == key }
    }

    /// Sets another order of the objects, which must be the existing ones.
    mutating func reorder(_ keys: [ObjectKey]) {
        order = keys
        if added.isEmpty, removed.isEmpty, let base, base.lazy.map(\.key).elementsEqual(keys) { order = nil }
    }

    /// Makes the current links the stored ones.
    ///
    /// - Parameter orders: the order keys in an ordered relationship.
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

    /// Replaces the keys of objects by those with which they were saved.
    mutating func replaceKeys(_ keys: [ObjectKey: ObjectKey]) {
        func new(_ key: ObjectKey) -> ObjectKey { key.isTemporary ? keys[key] ?? key : key }
        base = base?.map { Link(key: new($0.key), order: $0.order) }
        added = KeyList(added.keys.map(new))
        removed = Set(removed.map(new))
        order = order?.map(new)
    }
}
