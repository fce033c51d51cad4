public import ManagedObjectModels
public import PersistentStores
public import StoreConversion

/// A store of any type that is open for reading, with the model with which it was made.
public struct OpenedStore {
    /// The store, or the SQLite store that represents it.
    public let store: SQLiteStore
    /// The version with which the store was made.
    public let version: VersionedModel
    /// The tables and columns of the store, and its model.
    public let layout: StoreLayout

    /// The SQLite store that represents a store of another type while it is read.
    private let working: WorkingStore?

    /// Opens a store for reading.
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - catalog: the possible versions of the store.
    ///   - name: the version to use if the store's hashes are unknown.
    ///   - onStandIn: called with the SQLite store that represents a store of another type.
    ///   - isCancelled: called while the SQLite store is created; if it returns true, the work ends.
    /// - Throws: `StoreError`, `MigrationError` with code `unknownVersion`, and the errors of a conversion.
    public init(
        _ path: String, in catalog: VersionCatalog, named name: String? = nil,
        onStandIn: ((WorkingStore) -> Void)? = nil, isCancelled: (() -> Bool)? = nil
    ) throws {
        // If the file is not a store, SQLite's error message is used.
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

    /// The model with which the store was made.
    public var model: ResolvedModel { version.model }
}
