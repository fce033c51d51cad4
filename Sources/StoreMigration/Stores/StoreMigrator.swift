import PersistentStores
public import StoreConversion

/// Migrates one store after the other, of any type, with the same models. Confined to one thread.
///
/// A store that is not a SQLite store is migrated in a SQLite store that stands for it, which is written back.
public final class StoreMigrator {
    /// What is done to each store.
    public struct Options {
        /// The version of a store whose hashes are unknown; nil to go by the hashes.
        public var source: String?

        /// The configuration that a store holds, where its entities do not tell; nil to go by the entities.
        public var configuration: String?

        /// The version to migrate to; nil for the current one.
        public var destination: String?

        /// How the steps are found where there are no stages.
        public var chain = ChainMode.auto

        /// How the steps are planned; the placement is that of each store.
        public var planning = MigrationPlanner.Options()

        /// Policy classes that mapping models must name.
        public var policyClasses: [String] = []

        /// Whether plans are all that is wanted, so that nothing is written to a store.
        public var isDryRun = false

        /// Called with the SQLite store that stands for one of another type, before anything is said of it.
        public var onStandIn: ((WorkingStore) -> Void)?

        /// Asked now and then; true ends the planning.
        public var isCancelled: (@Sendable () -> Bool)?

        /// Of how many versions of stores is kept what their migrations have in common; tests set it.
        var keptVersions = 16

        /// Makes options: the current version is the destination, and the way there is found.
        public init() {}
    }

    /// The models, mapping models and stages that the stores are migrated with.
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

    /// Plans the migration of a store; it is not changed, but for the journal of a program that died.
    ///
    /// - Throws: `MigrationError`, `StoreError`, `ConversionError`, `ChainError`, `UnknownPolicyClass`. What refuses
    ///   the migration is in the plan.
    public func plan(_ path: String, _ placement: MigrationPlacement) throws -> PlannedMigration {
        let registry = PersistentStoreRegistry.standard
        // What is not a store at all is for the migration itself to say.
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

    /// - Parameter shownPath: what messages call the store, where it stands for another one.
    private func planSQLite(
        _ path: String, _ placement: MigrationPlacement, shownAs shownPath: String? = nil
    ) throws -> StoreLook {
        let first = try look(path, placement, shownAs: shownPath)
        // A refusal leaves even the journal of a program that died as it is.
        guard !options.isDryRun, !first.plan.isRefused, placement.output == nil,
            try JournalRecovery.rollBack(StoreFiles(followingLinks: path))
        else { return first }
        return try look(path, placement, shownAs: shownPath)
    }

    /// The plan, and what the files looked like before it: whatever is written from then on is noticed before anything
    /// is replaced.
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
