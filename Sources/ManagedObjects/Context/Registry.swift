/// The objects of a context by their keys, without holding them: an object leaves when it goes.
final class Registry {
    @exclusivity(unchecked) private var tables: [Int32: ObjectTable] = [:]
    /// The table that was asked for last: most of the work is on one at a time.
    @exclusivity(unchecked) private var lastTable: ObjectTable?
    @exclusivity(unchecked) private var lastNumber: Int32 = 0

    subscript(key: ObjectKey) -> ManagedObject? { table(key.table)?[key.key] }

    func insert(_ object: ManagedObject) {
        let table = table(object.key.table) ?? addTable(object.key.table)
        table.insert(object, object.key.key)
    }

    func remove(_ key: ObjectKey) { table(key.table)?.remove(key.key) }

    func removeAll() { (tables, lastTable) = ([:], nil) }

    var count: Int { tables.values.reduce(0) { $0 + $1.count } }

    /// All objects, in the order of their keys.
    var objects: [ManagedObject] {
        tables.sorted { $0.key < $1.key }.flatMap { $0.value.objects.sorted { $0.key.key < $1.key.key } }
    }

    /// The objects of one table.
    func objects(ofTable table: Int32) -> [ManagedObject] { tables[table]?.objects ?? [] }

    private func table(_ number: Int32) -> ObjectTable? {
        if number == lastNumber, let lastTable { return lastTable }
        guard let table = tables[number] else { return nil }
        (lastTable, lastNumber) = (table, number)
        return table
    }

    private func addTable(_ number: Int32) -> ObjectTable {
        let table = ObjectTable()
        tables[number] = table
        (lastTable, lastNumber) = (table, number)
        return table
    }
}
