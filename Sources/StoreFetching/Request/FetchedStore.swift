import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

/// A store on which a request is run, with its tables and columns and its model.
public struct FetchedStore {
    /// The open store.
    public let store: SQLiteStore
    /// The tables and columns of the store, and its model.
    public let layout: StoreLayout

    /// Makes one of several stores of a model.
    public init(_ store: SQLiteStore, _ layout: StoreLayout) {
        self.store = store
        self.layout = layout
    }

    /// Returns whether the store can contain objects of an entity; not all can, because of configurations and partial
    /// models.
    package func holds(_ entityName: String) -> Bool {
        layout.model.entity(named: entityName).map { layout.table(ofEntity: $0.slot) != nil } ?? false
    }

    /// Runs a closure that reads stores, each in one snapshot: several statements see the same state, regardless of
    /// commits by other processes.
    /// - Throws: `SQLiteError` if a store cannot be read; any error of the closure.
    package static func reading<Result>(
        _ stores: [FetchedStore], _ body: () throws -> Result
    ) throws -> Result {
        guard let connection = stores.first?.store.connection else { return try body() }
        let others = Array(stores.dropFirst())
        // A caller that has begun a transaction already has a snapshot.
        guard !connection.isInTransaction else { return try reading(others, body) }
        return try connection.transaction(.deferred) { try reading(others, body) }
    }

    /// Returns the UUIDs of the other stores in a list.
    package func siblings(_ stores: [FetchedStore]) -> Set<String> {
        Set(stores.map(\.store.metadata.uuid)).subtracting([store.metadata.uuid])
    }
}
