import PersistentStores
import StoreConversion
import StoreMigration

/// Finds the model version of a store of any type.
enum StoreVersion {
    static func version(
        of path: String, in catalog: VersionCatalog, named name: String?, registry: PersistentStoreRegistry
    ) throws -> VersionedModel {
        guard let format = registry.format(of: try registry.type(at: path)) else {
            return try catalog.sourceVersion(of: SQLiteStore(path: path), named: name)
        }
        return try catalog.sourceVersion(of: try format.metadata(at: path), at: path, named: name)
    }
}
