import PersistentStores

/// Which objects of a new store come from an old one, and which keys they had there.
struct ObjectOrigins {
    let store: String
    let uuid: String
    /// The highest key of a new object once they were written, by the slot of the root entity.
    let last: [Int64]
    /// The key that an object had, by its new one and the slot of its root entity.
    let oldKey: (_ new: Int64, _ root: Int) throws -> Int64

    /// The URI that an object had.
    func text(of key: Int64, entity: String, root: Int) throws -> String {
        let old = ManagedObjectID(storeUUID: uuid, entityName: entity, primaryKey: try oldKey(key, root))
        return "\(old.uri) of \(store)"
    }
}
