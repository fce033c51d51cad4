import ManagedObjectModels
import PersistentStores

/// How many objects of a store a finding is about, and the URIs of the first ones.
struct ConcernedObjects {
    /// How many objects a finding names.
    static let exampleCount = 3

    var count: Int64 = 0
    var examples: [String] = []

    /// The values of the examples that a question names, as SQL writes them; empty if it names none.
    var values: [String] = []
}

extension SQLiteStore {
    func uri(of key: Int64, entity name: String) -> String {
        ManagedObjectID(storeUUID: metadata.uuid, entityName: name, primaryKey: key).uri
    }
}
