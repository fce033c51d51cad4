import PersistentStores
public import StoreConversion

/// A store with the plan of its migration, and what it looked like before it was planned.
public struct PlannedMigration {
    /// What the migration would do.
    public let plan: ChainPlan

    /// The type of a store that a SQLite store stands for; nil for a SQLite store.
    public var standInType: PersistentStoreType? { working?.type }

    private let migrator: StoreMigrator
    private let fingerprint: StoreFingerprint
    private let placement: MigrationPlacement
    private let working: WorkingStore?

    init(
        _ migrator: StoreMigrator, _ plan: ChainPlan, _ fingerprint: StoreFingerprint, placement: MigrationPlacement,
        working: WorkingStore? = nil
    ) {
        (self.migrator, self.plan, self.fingerprint) = (migrator, plan, fingerprint)
        (self.placement, self.working) = (placement, working)
    }

    /// Migrates the store as planned.
    ///
    /// - Throws: `MigrationError`, also where the plan is refused; `StoreError`; `ConversionError`. The store is as it
    ///   was.
    public func execute(_ options: MigrationOptions = MigrationOptions()) throws -> ChainReport {
        let before = try working.map { try SQLiteStore(path: $0.path).metadata.versionHashes }
        let report = try MigrationManager(options: options).execute(plan, unchangedSince: fingerprint)
        guard let working, let before else { return report }
        let migrated = try SQLiteStore(path: working.path)
        guard placement.output != nil || migrated.metadata.versionHashes != before else { return report }
        let result = try migrator.models.catalog.sourceVersion(of: migrated, named: migrator.options.destination)
        try working.writeBack(
            result.newStore, to: placement.output, backup: placement.backup, isCancelled: options.isCancelled)
        return report
    }
}
