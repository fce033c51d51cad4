import KeyedArchives
import PersistentStores

/// Reads the metadata of a store of any type and adds a key, without a model.
func markAsImported(_ path: String) throws -> Bool {
    let metadata = try StoreMetadata.read(storeAt: path)
    if metadata.entries["DefaultDataImported"]?.boolean == true { return false }
    try StoreMetadata.update(storeAt: path) { metadata in
        metadata.entries["DefaultDataImported"] = .boolean(true)
    }
    return true
}
