import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Gives new objects of a store their keys, within a transaction.
struct KeyGiver {
    private let connection: StoreConnection

    init(_ connection: StoreConnection) {
        self.connection = connection
    }

    /// The keys of objects that have none yet, in their order.
    func keys(for objects: [ManagedObject]) throws -> [ObjectKey] {
        var last: [Int: Int64] = [:]
        var keys: [ObjectKey] = []
        let isShared = connection.store.hasOneNumbering
        for object in objects {
            let root = object.shape.rootNumber
            // Stores that are one file number all objects together.
            let counter = isShared ? -1 : root
            let highest: Int64
            if let known = last[counter] {
                highest = known
            } else if isShared {
                var sum: Int64 = 0
                for number in connection.tables.indices { sum = max(sum, try highestKey(number)) }
                highest = sum
            } else {
                highest = try highestKey(root)
            }
            guard highest < Int64.max else {
                throw StoreError(.corrupt("the highest primary key is given"), path: connection.store.path)
            }
            last[counter] = highest + 1
            keys.append(
                ObjectKey(
                    table: connection.model.table(
                        ofEntity: object.shape.entity.slot, store: connection.store.number),
                    entity: Int32(truncatingIfNeeded: object.shape.entity.slot), key: highest + 1))
        }
        var raised: [Int: Int64] = [:]
        for (object, key) in zip(objects, keys) { raised[object.shape.rootNumber] = key.key }
        for (root, key) in raised.sorted(by: { $0.key < $1.key }) {
            try connection.connection.execute(
                "UPDATE main.Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [.integer(key), .integer(number(root))])
        }
        return keys
    }

    private func number(_ root: Int) -> Int64 {
        Int64(connection.layout.entityNumbers[connection.model.tables[root].root])
    }

    private func highestKey(_ root: Int) throws(SQLiteError) -> Int64 {
        let value = try connection.connection.value(
            "SELECT max(ifnull((SELECT Z_MAX FROM main.Z_PRIMARYKEY WHERE Z_ENT = ?), 0), "
                + "ifnull((SELECT max(Z_PK) FROM \(connection.tables[root].table)), 0))", [.integer(number(root))])
        return max(0, value.integer ?? 0)
    }
}
