import ManagedObjectModels
import PersistentStores

/// The number of objects in a store to which a finding applies, and the URIs of the first ones.
struct ConcernedObjects {
    /// The number of objects that a finding names.
    static let exampleCount = 3

    var count: Int64 = 0
    var examples: [String] = []

    /// The values of the examples, as SQL literals, if the question requests them; otherwise empty.
    var values: [String] = []
}

extension SQLiteStore {
    func uri(of key: Int64, entity name: String) -> String {
        ManagedObjectID(storeUUID: metadata.uuid, entityName: name, primaryKey: key).uri
    }
}
