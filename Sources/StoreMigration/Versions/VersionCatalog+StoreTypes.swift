public import StoreConversion
import PersistentStores

extension VersionCatalog {
    /// The version that a store of any type was made with.
    ///
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - name: the version, where the store's hashes do not show it.
    ///   - configuration: the configuration that the store holds, where its entities do not tell.
    ///   - registry: the types of stores that are known.
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read; `MigrationError` if no version has
    ///   the store's hashes (code `unknownVersion`), or the configuration is not there; `ModelError` if the named
    ///   version is not there, or no version can be read.
    public func sourceVersion(
        ofStoreAt path: String, named name: String? = nil, configuration: String? = nil,
        in registry: PersistentStoreRegistry = .standard
    ) throws -> VersionedModel {
        // What is not a store at all is for SQLite's words to say.
        guard try registry.isAtomic(path) else {
            return try sourceVersion(of: SQLiteStore(path: path), named: name, configuration: configuration)
        }
        return try sourceVersion(
            of: registry.metadata(at: path), at: path, named: name, configuration: configuration)
    }
}
