import CommandLineParsing
import PersistentStores
import StoreConversion
import StoreMigration

/// Migrates stores that are not SQLite stores: in a SQLite store that takes their place for a while.
enum AnyTypeMigration {
    static func run(_ options: MigrateOptions) throws -> ExitStatus {
        let path = options.operands[0]
        let registry = PersistentStoreRegistry.standard
        // What is not a store at all is for the migration itself to say.
        guard let type = try? registry.type(at: path), type != .sqlite else {
            var request = try MigrateRequest(options)
            return try request.run()
        }
        // Conflicts between options come first, as for other stores.
        _ = try MigrateRequest(options)
        try StorePragmas(options.pragmas).check(for: type)
        let catalog = try VersionCatalog(
            paths: options.models, isMerging: options.isMerging,
            sources: options.sources.selection)
        catalog.versionOption = "--from"
        let version = try StoreVersion.version(of: path, in: catalog, named: options.from, registry: registry)
        if let output = options.output, FileSystem.isThere(output) { throw StoreError.taken(output, by: [path]) }
        let working = try WorkingStore(of: path, version.newStore) { Cancellation.isRequested }
        StandIns.add(working)
        if !options.isDryRun { try working.checkFaithfulness() }
        var inner = options
        inner.operands = [working.path]
        inner.output = nil
        inner.backup = nil
        let before = try SQLiteStore(path: working.path).metadata.versionHashes
        var request = try MigrateRequest(inner)
        let status = try request.run()
        guard !options.isDryRun, status == .done || status == .findings else { return status }
        let store = try SQLiteStore(path: working.path)
        guard options.output != nil || store.metadata.versionHashes != before else { return status }
        let result = try catalog.sourceVersion(of: store, named: options.to)
        try working.writeBack(result.newStore, to: options.output, backup: options.backup) { Cancellation.isRequested }
        Console.note("\(options.output ?? path) is a store of type \(type.name) again\n")
        return status
    }
}
