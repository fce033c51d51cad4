import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreMigration
import TestSupport

extension TestStore {
    /// Migrates in one stage, with an edit of the new version's objects behind it.
    func migrate(followedBy edit: StoreEdit, _ invalid: InvalidObjectPolicy) throws -> ChainReport {
        let bundle = directory.file("App.xcdatamodeld")
        try GeneratedModels.write([("old", source.model.model), ("new", destination.model.model)], to: bundle)
        let catalog = try VersionCatalog(paths: [bundle])
        let chain = try StagedMigration([.custom(from: "old", to: "new", didMigrate: [edit])]).chain(
            from: catalog.versionedModel(catalog.version(named: "old")),
            to: catalog.versionedModel(catalog.version(named: "new")), in: catalog)
        var options = MigrationPlanner.Options(placement: .replace(backup: nil))
        options.invalidObjects = invalid
        let plan = try ChainPlanner(store: SQLiteStore(path: path), chain: chain, options: options).plan()
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: path), isSettled: true)
        return try MigrationManager().execute(plan, unchangedSince: fingerprint)
    }
}
