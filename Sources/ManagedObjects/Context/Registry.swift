import ManagedObjectModels

/// Unowned references to the objects of a context, by their keys: an object is removed when it is deallocated.
final class Registry {
    /// The places of objects by the slots of their entities, then by the numbers of their tables. Objects retain them.
    @exclusivity(unchecked) private var places: [Int32: [Int32: ObjectPlace]] = [:]
    @exclusivity(unchecked) private var tables: [Int32: ObjectTable] = [:]
    /// The table that was used last, since most operations use one at a time. The dictionary retains it.
    @exclusivity(unchecked) private var last: Unmanaged<ObjectTable>?
    @exclusivity(unchecked) private var lastNumber: Int32 = 0

    subscript(key: ObjectKey) -> ManagedObject? { known(key.table)?._withUnsafeGuaranteedRef { $0[key.key] } }

    func insert(_ object: ManagedObject) { object.place.objects.insert(object, object.number) }

    func remove(_ object: ManagedObject) { object.place.objects.remove(object.number) }

    /// Removes all objects, which have no context afterwards.
    func removeAll() {
        for place in places.values.joined().map(\.value) { place.context = nil }
        (tables, last, places) = ([:], nil, [:])
    }

    /// Returns the place of an entity's objects in a table.
    func place(_ shape: EntityShape, table number: Int32, of context: ManagedObjectContext) -> ObjectPlace {
        let entity = Int32(truncatingIfNeeded: shape.entity.slot)
        if let known = places[entity]?[number] { return known }
        let place = ObjectPlace(context, shape, table: number, table(number))
        places[entity, default: [:]][number] = place
        return place
    }

    var count: Int { tables.values.reduce(0) { $0 + $1.count } }

    /// All objects, in the order of their keys.
    var objects: [ManagedObject] {
        tables.sorted { $0.key < $1.key }.flatMap { $0.value.objects.sorted { $0.key.key < $1.key.key } }
    }

    /// Returns the objects of one table.
    func objects(ofTable table: Int32) -> [ManagedObject] { tables[table]?.objects ?? [] }

    /// Returns a table, which is made if necessary.
    func table(_ number: Int32) -> ObjectTable {
        if let known = known(number) { return known.takeUnretainedValue() }
        let table = ObjectTable()
        tables[number] = table
        (last, lastNumber) = (.passUnretained(table), number)
        return table
    }

    private func known(_ number: Int32) -> Unmanaged<ObjectTable>? {
        if number == lastNumber, let last { return last }
        guard let table = tables[number] else { return nil }
        (last, lastNumber) = (.passUnretained(table), number)
        return last
    }
}
