/// The objects of a context by their keys, without holding them: an object leaves when it goes.
struct Registry {
    private struct Entry {
        unowned let object: ManagedObject
    }

    /// By table, so that a key is one number.
    private var tables: [Int32: [Int64: Entry]] = [:]

    subscript(key: ObjectKey) -> ManagedObject? { tables[key.table]?[key.key]?.object }

    mutating func insert(_ object: ManagedObject) {
        tables[object.key.table, default: [:]][object.key.key] = Entry(object: object)
    }

    mutating func remove(_ key: ObjectKey) { tables[key.table]?[key.key] = nil }

    mutating func removeAll() { tables = [:] }

    var count: Int { tables.values.reduce(0) { $0 + $1.count } }

    /// All objects, in the order of their keys.
    var objects: [ManagedObject] {
        tables.sorted { $0.key < $1.key }.flatMap { table in
            table.value.sorted { $0.key < $1.key }.map(\.value.object)
        }
    }

    /// The objects of one table.
    func objects(ofTable table: Int32) -> [ManagedObject] { (tables[table] ?? [:]).values.map(\.object) }
}
