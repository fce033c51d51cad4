import PersistentStores
public import StoreConversion

/// A store with the plan of its migration, and its state before the plan was computed.
public struct PlannedMigration {
    /// The plan of the migration.
    public var plan: ChainPlan { look.plan }

    /// The version hashes of the store, by entity, 32 bytes each.
    public var versionHashes: [String: [UInt8]] { look.versionHashes }

    /// The original type of a store that an SQLite store represents; nil for an SQLite store.
    public var standInType: PersistentStoreType? { working?.type }

    private let migrator: StoreMigrator
    private let look: StoreLook
    private let placement: MigrationPlacement
    private let working: WorkingStore?

    init(
        _ migrator: StoreMigrator, _ look: StoreLook, placement: MigrationPlacement, working: WorkingStore? = nil
    ) {
        (self.migrator, self.look, self.placement, self.working) = (migrator, look, placement, working)
    }

    /// Migrates the store as planned.
    ///
    /// - Throws: `MigrationError`, also if the plan is refused; `StoreError`; `ConversionError`. The store is not
    ///   changed then.
    public func execute(_ options: MigrationOptions = MigrationOptions()) throws -> ChainReport {
        var options = options
        options.schemas = migrator.schemas
        let report = try MigrationManager(options: options).execute(plan, unchangedSince: look.fingerprint)
        guard let working else { return report }
        let migrated = try SQLiteStore(path: working.path, shownAs: working.original)
        guard placement.output != nil || migrated.metadata.versionHashes != versionHashes else { return report }
        let result = try migrator.models.catalog.sourceVersion(of: migrated, named: migrator.options.destination)
        try working.writeBack(
            result.newStore, to: placement.output, backup: placement.backup, isCancelled: options.isCancelled)
        return report
    }
}
