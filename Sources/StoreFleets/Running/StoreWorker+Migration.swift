import MappingModels
import PersistentStores
import StoreConversion
import StoreMigration

/// What `ferry migrate` does for a store.
extension StoreWorker {
    func migrate(_ store: FleetStore, _ result: inout StoreResult) throws {
        if let output = store.output {
            do throws(FileError) {
                try FileSystem.createDirectory(FileSystem.directory(of: output))
            } catch {
                throw StoreError(error)
            }
        }
        let registry = PersistentStoreRegistry.standard
        // What is not a store at all is for the migration itself to say.
        guard let type = try? registry.type(at: store.path), type != .sqlite, let format = registry.format(of: type)
        else {
            let placement = store.output.map { MigrationPlacement.output($0) } ?? .replace(backup: store.backup)
            return try migrate(store.path, placement, &result)
        }
        if let output = store.output, FileSystem.isThere(output) { throw StoreError.taken(output, by: [store.path]) }
        let version = try models.catalog.sourceVersion(
            of: try format.metadata(at: store.path), at: store.path, named: nil)
        let working = try WorkingStore(of: store.path, version.newStore) { [options] in options.isCancelled?() ?? false
        }
        try working.checkFaithfulness()
        let before = try SQLiteStore(path: working.path).metadata.versionHashes
        try migrate(working.path, .replace(backup: nil), &result)
        guard result.failure == nil else { return }
        let migrated = try SQLiteStore(path: working.path)
        guard store.output != nil || migrated.metadata.versionHashes != before else { return }
        let after = try models.catalog.sourceVersion(of: migrated, named: fleet.version)
        try working.writeBack(after.newStore, to: store.output, backup: store.backup) { [options] in
            options.isCancelled?() ?? false
        }
    }

    private func migrate(_ path: String, _ placement: MigrationPlacement, _ result: inout StoreResult) throws {
        var (plan, fingerprint) = try look(path, placement, &result)
        // A refusal leaves even the journal of a program that died as it is.
        if !plan.isRefused, case .replace = placement,
            try JournalRecovery.rollBack(StoreFiles(followingLinks: path))
        {
            (plan, fingerprint) = try look(path, placement, &result)
        }
        if let failure = StoreFailure(plan.findings, path: path) {
            result.failure = failure
            return
        }
        var execution = MigrationOptions(
            limits: options.limits(sharedBy: jobs), isCancelled: options.isCancelled,
            onCheckpoint: options.onCheckpoint)
        execution.readers = max(1, execution.readers / jobs)
        let report = try MigrationManager(options: execution).execute(plan, unchangedSince: fingerprint)
        result.versionAfter = report.destinationVersion
        result.warnings = Int64(report.findings.count { $0.severity == .warning })
    }

    /// The plan, and what the files looked like before it.
    private func look(
        _ path: String, _ placement: MigrationPlacement, _ result: inout StoreResult
    ) throws -> (ChainPlan, StoreFingerprint) {
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: path), isSettled: true)
        let store = try SQLiteStore(path: path)
        let source = try models.catalog.sourceVersion(of: store, named: nil, towards: fleet.version)
        result.versionBefore = source.name
        let destination = try models.catalog.destinationVersion(named: fleet.version, for: source)
        let chain = try ChainFinder(catalog: models.catalog, mappings: models.mappings, found: models.found)
            .chain(from: source, to: destination, mode: fleet.chain)
        let plan = try ChainPlanner(
            store: store, chain: try models.catalog.completed(chain), options: planning(placement),
            isCancelled: options.isCancelled
        ).plan()
        return (plan, fingerprint)
    }

    private func planning(_ placement: MigrationPlacement) -> MigrationPlanner.Options {
        var registry = PolicyRegistry()
        for (name, text) in fleet.policies where text != "default" {
            guard var command = PolicyCommand(text) else { continue }
            command.patience = fleet.policyTimeout
            registry.register(command, as: name)
        }
        var planning = MigrationPlanner.Options(
            placement: placement, history: fleet.history,
            defaultPolicies: Set(fleet.policies.filter { $0.value == "default" }.keys), policies: registry)
        planning.narrowing = fleet.narrowing
        planning.invalidObjects = fleet.invalidObjects
        return planning
    }

    /// Whether a new store is what a run that was killed has made of this one.
    func isMade(_ store: FleetStore) -> Bool {
        guard let output = store.output, let new = try? PersistentStoreRegistry.standard.metadata(at: output),
            let old = try? PersistentStoreRegistry.standard.metadata(at: store.path), new.uuid == old.uuid,
            let source = models.catalog.match(old).flatMap({ try? models.catalog.versionedModel($0.version) }),
            let destination = try? models.catalog.destinationVersion(named: fleet.version, for: source)
        else { return false }
        return new.versionHashes == destination.hashes
    }
}
