import CommandLineParsing
import PersistentStores
import StoreConversion
import StoreImport
import StoreMigration

/// Imports into stores that are not SQLite stores. The import writes an SQLite store, which is converted afterwards.
enum AnyTypeImport {
    static func run(_ options: ImportCommandOptions) throws -> ExitStatus {
        let registry = PersistentStoreRegistry.standard
        guard let path = options.store, options.resolvedType(path, registry) != .sqlite else {
            return try ImportRequest(options).run()
        }
        _ = try ImportRequest(options)
        try StorePragmas(options.pragmas).check(for: options.resolvedType(path, registry))
        if options.commit == .batch { throw UsageError.conflict("--commit batch", with: "a store that is not SQLite") }
        let catalog = try VersionCatalog(
            paths: options.models, isMerging: options.isMerging,
            sources: options.sources.selection)
        let working: WorkingStore
        if FileSystem.exists(path) {
            let version = try catalog.sourceVersion(ofStoreAt: path, named: options.version)
            working = try WorkingStore(of: path, version.newStore) { Cancellation.isRequested }
            Console.noteWarnings(of: working)
            if !options.isDryRun { try working.checkFaithfulness() }
        } else {
            working = try WorkingStore(forNew: path, type: options.resolvedType(path, registry))
        }
        var inner = options
        inner.store = working.path
        let status = try ImportRequest(inner, shownAs: path).run()
        guard !options.isDryRun, status == .done || status == .findings else { return status }
        let version = try catalog.sourceVersion(
            of: SQLiteStore(path: working.path, shownAs: path), named: options.version)
        try working.writeBack(version.newStore) { Cancellation.isRequested }
        return status
    }
}

extension ImportCommandOptions {
    /// Returns the type of the existing store, or of the one to be created.
    fileprivate func resolvedType(_ path: String, _ registry: PersistentStoreRegistry) -> PersistentStoreType {
        // The import itself reports an error if the file is not a store.
        if FileSystem.isThere(path) { return (try? registry.type(at: path)) ?? .sqlite }
        return storeType?.type ?? registry.type(ofNewStore: path)
    }
}
