public import ManagedObjectModels
public import PersistentStores
public import StoreConversion

/// A store of any type that is only read, with the model that it was made with.
public struct OpenedStore {
    /// The store, or the SQLite store that stands for it.
    public let store: SQLiteStore
    /// The version that the store was made with.
    public let version: VersionedModel
    /// The tables and columns of the store, and its model.
    public let layout: StoreLayout

    /// What stands for a store of another type while it is read.
    private let working: WorkingStore?

    /// Opens a store for reading.
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - catalog: the versions that the store may have been made with.
    ///   - name: the version where the store's hashes are unknown.
    ///   - onStandIn: called with the SQLite store that stands for one of another type.
    ///   - isCancelled: asked while that one is made.
    /// - Throws: `StoreError`, `MigrationError` with code `unknownVersion`, and what a conversion throws.
    public init(
        _ path: String, in catalog: VersionCatalog, named name: String? = nil,
        onStandIn: ((WorkingStore) -> Void)? = nil, isCancelled: (() -> Bool)? = nil
    ) throws {
        // What is not a store at all is for SQLite's words to say.
        if let type = try? PersistentStoreRegistry.standard.type(at: path), type != .sqlite {
            version = try catalog.sourceVersion(ofStoreAt: path, named: name)
            let working = try WorkingStore(of: path, version.newStore, keepsFaults: true, isCancelled: isCancelled)
            onStandIn?(working)
            store = try SQLiteStore(path: working.path, shownAs: path)
            self.working = working
        } else {
            store = try SQLiteStore(path: path)
            version = try catalog.sourceVersion(of: store, named: name)
            working = nil
        }
        layout = store.layout(for: version.model)
    }

    /// The model that the store was made with.
    public var model: ResolvedModel { version.model }
}
