/// The identity of an object in a coordinator's stores and contexts: the number of a table, and a key.
///
/// Unsaved objects have table numbers below 0, and keys that are unique in the process.
struct ObjectKey: Sendable {
    /// The store's number, counted from 1, times the number of root entities, plus the index of the object's root
    /// entity. Without a store: -1 minus the index of the root entity.
    let table: Int32

    /// The slot of the object's entity as far as known: it may be a superentity.
    let entity: Int32

    let key: Int64

    var isTemporary: Bool { table < 0 }
}

extension ObjectKey: Hashable {
    static func == (left: ObjectKey, right: ObjectKey) -> Bool { left.key == right.key && left.table == right.table }

    func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(table)
    }
}
