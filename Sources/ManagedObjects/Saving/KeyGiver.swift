import ManagedObjectModels
import PersistentStores
import StoreEditing

/// Assigns keys to new objects of a store, within a transaction.
struct KeyGiver {
    private let connection: StoreConnection

    init(_ connection: StoreConnection) {
        self.connection = connection
    }

    /// Returns the keys of objects that have no permanent ones yet, in their order.
    func keys(for objects: [ManagedObject]) throws -> [ObjectKey] {
        let store = connection.store
        let given = PrimaryKeys(connection.connection, connection.layout, isShared: store.hasOneNumbering)
        var last: [Int: Int64] = [:]
        // Objects of one hierarchy get consecutive keys, whatever objects come between them.
        for (root, objects) in Dictionary(grouping: objects, by: \.shape.rootNumber).sorted(by: { $0.key < $1.key }) {
            let slot = connection.model.tables[root].root
            guard let before = try given.give(Int64(objects.count), ofRoot: slot) else {
                throw StoreError(.corrupt("the highest primary key is given"), path: store.path)
            }
            last[root] = before
        }
        return objects.map { object in
            let root = object.shape.rootNumber
            let key = (last[root] ?? 0) + 1
            last[root] = key
            let slot = object.shape.entity.slot
            return ObjectKey(
                table: connection.model.table(ofEntity: slot, store: store.number),
                entity: Int32(truncatingIfNeeded: slot), key: key)
        }
    }
}
