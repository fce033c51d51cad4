import PersistentStores
import SQLiteAccess

/// Which objects of a new store come from an old one, and which keys they had there.
struct ObjectOrigins {
    let store: String
    let uuid: String
    /// What was added to their keys, by the slot of the root entity.
    let bases: [Int64]
    /// The keys where they were renumbered one by one; nil elsewhere.
    let keys: KeyRenumbering?
    /// The highest key of a new object once they were written, by the slot of the root entity.
    let last: [Int64]

    /// The URI that an object had.
    func text(of key: Int64, entity: String, root: Int) throws(SQLiteError) -> String {
        let oldKey = try keys.map { keys throws(SQLiteError) in try keys.oldKey(of: key, root: root) ?? key }
        let old = ManagedObjectID(storeUUID: uuid, entityName: entity, primaryKey: oldKey ?? key - bases[root])
        return "\(old.uri) of \(store)"
    }
}
