import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreConversion
import StoreMigration

/// A store that is only read, with the model that it was made with.
struct OpenedStore {
    let store: SQLiteStore
    let version: VersionedModel
    let layout: StoreLayout

    /// What stands for a store of another type while it is read.
    private let working: WorkingStore?

    /// - Parameter version: the version where the store's hashes are unknown.
    init(path: String, models: [String], sources: SourceArguments, version name: String?, isMerging: Bool) throws {
        let catalog = try VersionCatalog(paths: models, isMerging: isMerging, sources: sources.selection)
        if let type = try? PersistentStoreRegistry.standard.type(at: path), type != .sqlite {
            version = try StoreVersion.version(of: path, in: catalog, named: name, registry: .standard)
            Cancellation.watchSignals()
            let working = try WorkingStore(of: path, version.newStore, keepsFaults: true) { Cancellation.isRequested }
            StandIns.add(working)
            store = try SQLiteStore(path: working.path)
            self.working = working
        } else {
            store = try SQLiteStore(path: path)
            version = try catalog.sourceVersion(of: store, named: name)
            working = nil
        }
        catalog.warnings.forEach { Console.note("warning: \($0)\n") }
        layout = store.layout(for: version.model)
        // Ctrl-C ends a statement within some thousands of its steps.
        Cancellation.watchSignals()
        store.connection.onProgress(everyInstructions: 20_000) { Cancellation.isRequested }
    }

    var model: ResolvedModel { version.model }
}
