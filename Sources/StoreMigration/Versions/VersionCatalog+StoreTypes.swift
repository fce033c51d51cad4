public import StoreConversion
import PersistentStores

extension VersionCatalog {
    /// Returns the version with which a store of any type was made.
    ///
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - name: the version to use if the store's hashes do not determine it.
    ///   - configuration: the configuration of the store, if its entities do not determine it.
    ///   - registry: the known store types.
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read; `MigrationError` if no version has the
    ///   store's hashes (code `unknownVersion`), or if the configuration does not exist; `ModelError` if the named
    ///   version does not exist, or if no version can be read.
    public func sourceVersion(
        ofStoreAt path: String, named name: String? = nil, configuration: String? = nil,
        in registry: PersistentStoreRegistry = .standard
    ) throws -> VersionedModel {
        // If the file is not a store, SQLite's error message is used.
        guard try registry.isAtomic(path) else {
            return try sourceVersion(of: SQLiteStore(path: path), named: name, configuration: configuration)
        }
        return try sourceVersion(
            of: registry.metadata(at: path), at: path, named: name, configuration: configuration)
    }
}
