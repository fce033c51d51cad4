/// The objects of a context by their keys, without holding them: an object leaves when it goes.
struct Registry {
    private var tables: [ObjectTable] = []
    private var places: [Int32: Int] = [:]
    /// The table that was asked for last, and where it is: most of the work is on one at a time.
    private var last: (table: Int32, place: Int)?

    subscript(key: ObjectKey) -> ManagedObject? {
        if let last, last.table == key.table { return tables[last.place][key.key] }
        return places[key.table].flatMap { tables[$0][key.key] }
    }

    mutating func insert(_ object: ManagedObject) {
        let place: Int
        if let last, last.table == object.key.table {
            place = last.place
        } else {
            place = places[object.key.table] ?? tables.count
            if place == tables.count {
                tables.append(ObjectTable())
                places[object.key.table] = place
            }
            last = (object.key.table, place)
        }
        tables[place].insert(object, object.key.key)
    }

    mutating func remove(_ key: ObjectKey) {
        if let last, last.table == key.table {
            tables[last.place].remove(key.key)
        } else if let place = places[key.table] {
            tables[place].remove(key.key)
        }
    }

    mutating func removeAll() { self = Registry() }

    var count: Int { tables.reduce(0) { $0 + $1.count } }

    /// All objects, in the order of their keys.
    var objects: [ManagedObject] {
        places.sorted { $0.key < $1.key }.flatMap { place in
            tables[place.value].objects.sorted { $0.key.key < $1.key.key }
        }
    }

    /// The objects of one table.
    func objects(ofTable table: Int32) -> [ManagedObject] { places[table].map { tables[$0].objects } ?? [] }
}
