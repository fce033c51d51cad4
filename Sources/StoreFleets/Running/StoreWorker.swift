import ManagedObjectModels
import PersistentStores
import StoreConversion
import StoreMigration
import StoreVerification

/// Does the operation of a fleet on one store after the other. Confined to one thread.
final class StoreWorker {
    let fleet: FleetOptions
    let options: FleetRunner.Options
    let models: FleetModels

    /// How many workers share the machine.
    let jobs: Int

    init(_ fleet: FleetOptions, _ options: FleetRunner.Options, jobs: Int) throws {
        (self.fleet, self.options, self.jobs) = (fleet, options, jobs)
        models = try FleetModels(fleet)
    }

    /// Throws only where the work was cancelled; what is wrong with the store is in the result.
    func work(on store: FleetStore) throws(CancellationError) -> StoreResult {
        var result = StoreResult()
        do {
            switch fleet.operation {
            case .migrate: try migrate(store, &result)
            case .verify: try verify(store, &result)
            }
        } catch {
            if options.isCancelled?() ?? false { throw CancellationError() }
            result.failure = StoreFailure(error)
        }
        result.bytesAfter = Self.bytes(of: store.output ?? store.path)
        return result
    }

    static func bytes(of path: String) -> Int64? {
        let files = StoreFiles(followingLinks: path)
        guard FileSystem.isThere(path) else { return nil }
        return files.totalSize
    }

    private func verify(_ store: FleetStore, _ result: inout StoreResult) throws {
        var settings = StoreVerifier.Options()
        settings.exampleLimit = 0
        settings.isCancelled = options.isCancelled
        let metadata = try PersistentStoreRegistry.standard.metadata(at: store.path)
        let isAtomic = try PersistentStoreRegistry.standard.isAtomic(store.path)
        var unknown: [VerificationFinding] = []
        var version: VersionedModel?
        do {
            version =
                isAtomic
                ? try models.catalog.sourceVersion(of: metadata, at: store.path, named: fleet.version)
                : try models.catalog.sourceVersion(of: SQLiteStore(path: store.path), named: fleet.version)
        } catch let error as MigrationError {
            guard fleet.version == nil, case .unknownVersion(let reason) = error.code else { throw error }
            unknown = [VerificationFinding.unknownModel(reason.description)]
        }
        result.versionBefore = version?.name
        result.versionAfter = version?.name
        let hashes = fleet.version == nil ? [:] : version?.hashes ?? [:]
        let report =
            isAtomic
            ? try AtomicStoreVerifier(
                path: store.path, version?.newStore, named: version?.name, hashes: hashes, options: settings
            ).verify(with: unknown)
            : try StoreVerifier(
                SQLiteStore(path: store.path), model: version?.model, named: version?.name, hashes: hashes,
                objectEntities: version?.newStore.objectEntities, options: settings
            ).verify(with: unknown)
        result.warnings = Int64(report.findings.count { $0.severity == .warning })
        if let worst = report.findings.first(where: { $0.severity == .error }) {
            result.failure = StoreFailure(worst.code, "\(store.path): \(worst.message)")
        }
    }
}
