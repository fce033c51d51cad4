/// An object among all that a coordinator's stores hold and its contexts have made: the number of a table, and a key.
///
/// Objects that are not saved are in tables below 0, with keys that are given once in a process.
struct ObjectKey: Sendable {
    /// The store's number times the number of root entities, plus that of the object's own; stores count from 1. Where
    /// there is no store yet, -1 less the number of the root entity.
    let table: Int32

    /// The slot of the object's entity, as far as the way to it shows: it may be one that the entity inherits from.
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
