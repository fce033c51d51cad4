import MappingModels
import PersistentStores
import StoreMigration

extension TestStore {
    /// The plan of a mapping model, which is completed as Xcode's compiler does.
    func plan(
        by mapping: MappingModel, _ invalid: InvalidObjectPolicy, history: HistoryPolicy = .automatic,
        isThorough: Bool = false, at placement: MigrationPlacement = .replace(backup: nil),
        policies: PolicyRegistry = PolicyRegistry()
    ) throws -> MigrationPlan {
        let mapping = MappingCompletion(
            source: source.model, destination: destination.model, sourceHashes: source.hashes,
            destinationHashes: destination.hashes
        ).completed(mapping)
        var options = MigrationPlanner.Options(
            placement: placement, history: history, isThorough: isThorough, mapping: mapping,
            policies: policies)
        options.invalidObjects = invalid
        return try MigrationPlanner(
            store: SQLiteStore(path: path), from: source, to: destination, options: options
        ).plan()
    }

    /// Migrates by a mapping model.
    @discardableResult
    func migrate(
        by mapping: MappingModel, _ invalid: InvalidObjectPolicy, history: HistoryPolicy = .automatic,
        at placement: MigrationPlacement = .replace(backup: nil), policies: PolicyRegistry = PolicyRegistry()
    ) throws -> MigrationReport {
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: path), isSettled: true)
        return try MigrationManager().execute(
            plan(by: mapping, invalid, history: history, at: placement, policies: policies),
            unchangedSince: fingerprint)
    }
}
