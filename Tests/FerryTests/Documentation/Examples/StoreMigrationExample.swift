import PersistentStores
import StoreMigration

/// Migrates a store to the current version of its model, and shows warnings first.
func migrate(
    _ path: String, models: String, to output: String, show: ([String]) -> Void
) throws -> MigrationReport {
    // Whatever is written to the store from here on is noticed at the end.
    let fingerprint = StoreFingerprint(of: StoreFiles(path))
    let catalog = try VersionCatalog(paths: [models])
    let store = try SQLiteStore(path: path)
    let source = try catalog.sourceVersion(of: store, named: nil)
    let destination = try catalog.destinationVersion(named: nil, for: source)
        .adopting(store.metadata, from: source)
    let plan = try MigrationPlanner(
        store: store, from: source, to: destination,
        options: .init(placement: .output(output), isThorough: true)
    ).plan()
    for finding in plan.findings where finding.severity > .note { show(finding.lines) }
    return try MigrationManager().execute(plan, unchangedSince: fingerprint)
}
