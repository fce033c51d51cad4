import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

/// One of the stores that a request is made to, with its tables and columns and its model.
public struct FetchedStore {
    /// The store, which is open.
    public let store: SQLiteStore
    /// The tables and columns of the store, and its model.
    public let layout: StoreLayout

    /// Makes one of several stores of a model.
    public init(_ store: SQLiteStore, _ layout: StoreLayout) {
        self.store = store
        self.layout = layout
    }

    /// Whether the store may have objects of an entity: those of some configurations, and of parts of a model, cannot.
    package func holds(_ entityName: String) -> Bool {
        layout.model.entity(named: entityName).map { layout.table(ofEntity: $0.slot) != nil } ?? false
    }

    /// Reads some stores, each in one state: what several statements read of it belongs together, whatever other
    /// processes commit meanwhile.
    /// - Throws: `SQLiteError` if a store cannot be read; what the closure throws.
    package static func reading<Result>(
        _ stores: [FetchedStore], _ body: () throws -> Result
    ) throws -> Result {
        guard let connection = stores.first?.store.connection else { return try body() }
        let others = Array(stores.dropFirst())
        // Who has begun a transaction reads in it already.
        guard !connection.isInTransaction else { return try reading(others, body) }
        return try connection.transaction(.deferred) { try reading(others, body) }
    }

    /// The UUIDs of the other ones of some stores.
    package func siblings(_ stores: [FetchedStore]) -> Set<String> {
        Set(stores.map(\.store.metadata.uuid)).subtracting([store.metadata.uuid])
    }
}
