import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreMigration

/// A store that is only read, with the model that it was made with.
struct OpenedStore {
    let store: SQLiteStore
    let version: VersionedModel
    let layout: StoreLayout

    /// - Parameter version: the version where the store's hashes are unknown.
    init(path: String, models: [String], version name: String?, isMerging: Bool) throws {
        store = try SQLiteStore(path: path)
        let catalog = try isMerging ? VersionCatalog(merging: models) : VersionCatalog(paths: models)
        version = try catalog.sourceVersion(of: store, named: name)
        catalog.warnings.forEach { Console.note("warning: \($0)\n") }
        layout = store.layout(for: version.model)
        // Ctrl-C ends a statement within some thousands of its steps.
        Cancellation.watchSignals()
        store.connection.onProgress(everyInstructions: 20_000) { Cancellation.isRequested }
    }

    var model: ResolvedModel { version.model }
}
