/// The objects of a context by their keys, without holding them: an object leaves when it goes.
final class Registry {
    @exclusivity(unchecked) private var tables: [Int32: ObjectTable] = [:]
    /// The table that was asked for last: most of the work is on one at a time. The list holds it.
    @exclusivity(unchecked) private var last: Unmanaged<ObjectTable>?
    @exclusivity(unchecked) private var lastNumber: Int32 = 0

    subscript(key: ObjectKey) -> ManagedObject? { known(key.table)?._withUnsafeGuaranteedRef { $0[key.key] } }

    func insert(_ object: ManagedObject) { table(object.key.table).insert(object, object.key.key) }

    func remove(_ key: ObjectKey) { known(key.table)?._withUnsafeGuaranteedRef { $0.remove(key.key) } }

    func removeAll() { (tables, last) = ([:], nil) }

    var count: Int { tables.values.reduce(0) { $0 + $1.count } }

    /// All objects, in the order of their keys.
    var objects: [ManagedObject] {
        tables.sorted { $0.key < $1.key }.flatMap { $0.value.objects.sorted { $0.key.key < $1.key.key } }
    }

    /// The objects of one table.
    func objects(ofTable table: Int32) -> [ManagedObject] { tables[table]?.objects ?? [] }

    /// The table, made if it is not there.
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
