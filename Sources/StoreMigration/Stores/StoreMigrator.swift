import PersistentStores
public import StoreConversion

/// Migrates stores of any type one after the other with the same models. Must only be used by one thread.
///
/// A store that is not an SQLite store is migrated as an SQLite store that represents it, and then written back.
public final class StoreMigrator {
    /// The options for each store.
    public struct Options {
        /// The version of stores whose hashes are unknown; nil to use only the hashes.
        public var source: String?

        /// The configuration of stores for which the entities do not determine it; nil to use only the entities.
        public var configuration: String?

        /// The version to migrate to; nil for the current one.
        public var destination: String?

        /// How steps are found if no stages are specified.
        public var chain = ChainMode.auto

        /// The options for planning the steps; the placement is specified for each store.
        public var planning = MigrationPlanner.Options()

        /// Policy classes that mapping models must name.
        public var policyClasses: [String] = []

        /// Whether only plans are wanted, so that nothing is written to a store.
        public var isDryRun = false

        /// Called with the SQLite store that represents a store of another type, before any message about it.
        public var onStandIn: ((WorkingStore) -> Void)?

        /// Called repeatedly; if it returns true, planning ends.
        public var isCancelled: (@Sendable () -> Bool)?

        /// The number of store versions for which the common parts of migrations are cached; tests change it.
        var keptVersions = 16

        /// Creates options: by default, stores are migrated to the current version, and the steps are found.
        public init() {}
    }

    /// The models, mapping models and stages for the migrations.
    public let models: MigrationModels
    let options: Options
    let schemas: SchemaMemo

    private struct Versions: Hashable {
        let source: VersionIdentity
        let destination: VersionIdentity
    }

    private var chains: Memo<Versions, MigrationChain>

    /// Prepares to migrate stores with the same models.
    public init(_ models: MigrationModels, options: Options = Options()) {
        self.models = models
        self.options = options
        schemas = SchemaMemo(capacity: options.keptVersions)
        chains = Memo(capacity: options.keptVersions)
    }

    /// Plans the migration of a store without changing it, except for rolling back the journal of a program that
    /// crashed.
    ///
    /// - Throws: `MigrationError`, `StoreError`, `ConversionError`, `ChainError`, `UnknownPolicyClass`. The reasons for
    ///   a refusal are in the plan.
    public func plan(_ path: String, _ placement: MigrationPlacement) throws -> PlannedMigration {
        let registry = PersistentStoreRegistry.standard
        // If the file is not a store, the migration itself reports the error.
        guard let type = try? registry.type(at: path), type != .sqlite else {
            return PlannedMigration(self, try planSQLite(path, placement), placement: placement)
        }
        if let output = placement.output, FileSystem.isThere(output) { throw StoreError.taken(output, by: [path]) }
        let version = try models.catalog.sourceVersion(ofStoreAt: path, named: options.source)
        let working = try WorkingStore(of: path, version.newStore, isCancelled: options.isCancelled)
        options.onStandIn?(working)
        if !options.isDryRun { try working.checkFaithfulness() }
        let look = try planSQLite(
            working.path, placement.isInPlace ? .inPlace(backup: nil) : .replace(backup: nil), shownAs: path)
        return PlannedMigration(self, look, placement: placement, working: working)
    }

    /// - Parameter shownPath: the name of the store in messages, if it stands for another one.
    private func planSQLite(
        _ path: String, _ placement: MigrationPlacement, shownAs shownPath: String? = nil
    ) throws -> StoreLook {
        let first = try look(path, placement, shownAs: shownPath)
        // If the migration is refused, even the journal of a program that crashed is not changed.
        guard !options.isDryRun, !first.plan.isRefused, placement.output == nil,
            try JournalRecovery.rollBack(StoreFiles(followingLinks: path))
        else { return first }
        return try look(path, placement, shownAs: shownPath)
    }

    /// Returns the plan, and the state of the files before it was computed, so that later changes are detected before
    /// anything is replaced.
    private func look(
        _ path: String, _ placement: MigrationPlacement, shownAs shownPath: String?
    ) throws -> StoreLook {
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: path), isSettled: true)
        let store = try SQLiteStore(path: path, shownAs: shownPath)
        let source = try models.catalog.sourceVersion(
            of: store, named: options.source, configuration: options.configuration, towards: options.destination)
        let destination = try models.catalog.destinationVersion(named: options.destination, for: source)
        let chain = try chain(from: source, to: destination)
        var planning = options.planning
        planning.placement = placement
        let plan = try ChainPlanner(
            store: store, chain: chain, options: planning, isCancelled: options.isCancelled
        ).plan()
        return StoreLook(plan: plan, fingerprint: fingerprint, versionHashes: store.metadata.versionHashes)
    }

    private func chain(from source: VersionedModel, to destination: VersionedModel) throws -> MigrationChain {
        let versions = Versions(source: VersionIdentity(source), destination: VersionIdentity(destination))
        return try chains.value(of: versions) {
            let chain = try models.chain(from: source, to: destination, mode: options.chain)
            try models.check(policyClasses: options.policyClasses, in: chain)
            return try models.catalog.completed(chain)
        }
    }
}
