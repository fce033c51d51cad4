import ManagedObjectModels
import PersistentStores
import StoreMigration

/// The operation of `ferry migrate` on a store.
extension StoreWorker {
    func migrate(_ store: FleetStore, _ result: inout StoreResult) throws {
        let placement = store.output.map { MigrationPlacement.output($0) } ?? .replace(backup: store.backup)
        let migration = try migrator.plan(store.path, placement)
        result.versionBefore = migration.plan.sourceVersion
        result.hashesBefore = Self.digest(migration.versionHashes)
        if let failure = StoreFailure(migration.plan.findings, path: store.path) {
            result.failure = failure
            return
        }
        var execution = MigrationOptions(
            limits: options.limits(sharedBy: jobs), lockTimeout: options.lockTimeout,
            isCancelled: options.isCancelled, onCheckpoint: options.onCheckpoint)
        execution.readers = max(1, execution.readers / jobs)
        let report = try migration.execute(execution)
        if migration.plan.isUpToDate { noteEarlierMigration(of: store, &result) }
        result.versionAfter = report.destinationVersion
        result.findings = report.findings.map { StoreFinding($0) }
        // The preceding steps migrated the same objects.
        result.objects = report.steps.last { $0.migration != nil }?.migration?.rowsWritten ?? 0
    }

    /// Notes that a store which was planned with another version has been migrated by a run that was killed before it
    /// wrote the row.
    private func noteEarlierMigration(of store: FleetStore, _ result: inout StoreResult) {
        guard store.output == nil, let planned = store.version, planned != result.versionBefore,
            let version = models.catalog.versions.first(where: { $0.name == planned }),
            let model = try? models.catalog.versionedModel(version)
        else { return }
        result.versionBefore = planned
        result.hashesBefore = Self.digest(model.hashes)
        result.bytesBefore = store.bytes
    }
}
