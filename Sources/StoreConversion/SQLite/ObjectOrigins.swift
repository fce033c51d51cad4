import PersistentStores

/// The objects of a new store that come from one source store, and their keys in it.
struct ObjectOrigins {
    let store: String
    let uuid: String
    /// The highest key after these objects were written, by the slot of the root entity.
    let last: [Int64]
    /// Returns the old key of an object, from its new key and the slot of its root entity.
    let oldKey: (_ new: Int64, _ root: Int) throws -> Int64

    /// Returns the old URI of an object.
    func text(of key: Int64, entity: String, root: Int) throws -> String {
        let old = ManagedObjectID(storeUUID: uuid, entityName: entity, primaryKey: try oldKey(key, root))
        return "\(old.uri) of \(store)"
    }
}
