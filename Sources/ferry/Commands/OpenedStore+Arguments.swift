import PersistentStores
import SQLiteAccess
import StoreMigration

extension OpenedStore {
    /// Opens the store of a command; what is to be said of it and its models is said.
    ///
    /// - Parameter name: the version where the store's hashes are unknown.
    init(path: String, models: [String], sources: SourceArguments, version name: String?, isMerging: Bool) throws {
        let catalog = try VersionCatalog(paths: models, isMerging: isMerging, sources: sources.selection)
        // Ctrl-C ends a statement within some thousands of its steps.
        Cancellation.watchSignals()
        try self.init(path, in: catalog, named: name, onStandIn: { WorkingStoreNames.add($0) }) {
            Cancellation.isRequested
        }
        catalog.warnings.forEach { Console.note("warning: \($0)\n") }
        store.connection.onProgress(everyInstructions: 20_000) { Cancellation.isRequested }
    }
}
