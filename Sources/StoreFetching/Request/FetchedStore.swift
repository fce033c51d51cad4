import ManagedObjectModels
public import PersistentStores

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

    /// The UUIDs of the other ones of some stores.
    package func siblings(_ stores: [FetchedStore]) -> Set<String> {
        Set(stores.map(\.store.metadata.uuid)).subtracting([store.metadata.uuid])
    }
}
