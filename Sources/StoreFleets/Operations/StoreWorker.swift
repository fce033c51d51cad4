import ManagedObjectModels
import PersistentStores
import StoreConversion
import StoreMigration

/// Performs the operation of a fleet on one store after another. Confined to one thread.
final class StoreWorker {
    let fleet: FleetOptions
    let options: FleetRunner.Options
    let models: FleetModels

    /// The number of workers that share the machine.
    let jobs: Int

    private(set) lazy var migrator = models.migrator(fleet, isCancelled: options.isCancelled)

    init(_ fleet: FleetOptions, _ options: FleetRunner.Options, jobs: Int) throws {
        (self.fleet, self.options, self.jobs) = (fleet, options, jobs)
        models = try FleetModels(fleet)
    }

    /// Throws only if the work was cancelled; errors of the store are in the result.
    func work(on store: FleetStore) throws(CancellationError) -> StoreResult {
        var result = StoreResult()
        result.bytesBefore = Self.bytes(of: store.path)
        // A migration reports its source version itself.
        if fleet.operation != .migrate { describeSource(store, &result) }
        do {
            if let output = store.output {
                do throws(FileError) {
                    try FileSystem.createDirectory(FileSystem.directory(of: output))
                } catch {
                    throw StoreError(error)
                }
            }
            switch fleet.operation {
            case .migrate: try migrate(store, &result)
            case .convert: try convert(store, &result)
            case .verify: try verify(store, &result)
            case .repair: try repair(store, &result)
            case .inspect: try inspect(store, &result)
            case .export: try export(store, &result)
            }
        } catch {
            if options.isCancelled?() ?? false { throw CancellationError() }
            result.failure = StoreFailure(error).asking(store.path)
            if result.hashesBefore == nil { describeSource(store, &result) }
        }
        describe(store, &result)
        return result
    }

    /// Adds the version before the operation to a result.
    private func describeSource(_ store: FleetStore, _ result: inout StoreResult) {
        guard let metadata = try? PersistentStoreRegistry.standard.metadata(at: store.path) else { return }
        result.hashesBefore = Self.digest(metadata.versionHashes)
        result.versionBefore = models.catalog.match(metadata)?.version.name
    }

    /// Adds the state after the operation to a result.
    private func describe(_ store: FleetStore, _ result: inout StoreResult) {
        result.findings = StoreFinding.collected(result.findings)
        let path = result.failure == nil && fleet.makesStores ? store.output ?? store.path : store.path
        result.bytesAfter = Self.bytes(of: path)
        guard let metadata = try? PersistentStoreRegistry.standard.metadata(at: path) else { return }
        result.hashesAfter = Self.digest(metadata.versionHashes)
        result.versionAfter = result.versionAfter ?? models.catalog.match(metadata)?.version.name
    }

    /// Returns the result of a killed run for a store, if its output is complete; nil if the output is not from this
    /// fleet.
    func resultOfEarlierRun(_ store: FleetStore) -> StoreResult? {
        guard let output = store.output, FileSystem.isThere(output), isMade(store, output) else { return nil }
        var result = StoreResult()
        result.bytesBefore = Self.bytes(of: store.path)
        describeSource(store, &result)
        describe(store, &result)
        return result
    }

    private func isMade(_ store: FleetStore, _ output: String) -> Bool {
        // Files get their names when all of them are complete.
        guard fleet.makesStores else { return true }
        let registry = PersistentStoreRegistry.standard
        guard let new = try? registry.metadata(at: output), let old = try? registry.metadata(at: store.path),
            new.uuid == old.uuid
        else { return false }
        if fleet.operation != .migrate { return new.versionHashes == old.versionHashes }
        guard let source = models.catalog.match(old).flatMap({ try? models.catalog.versionedModel($0.version) }),
            let destination = try? models.catalog.destinationVersion(named: fleet.version, for: source)
        else { return false }
        return new.versionHashes == destination.hashes
    }

    /// Returns the size of a store with its external data, or of a file, in bytes; nil if it does not exist.
    static func bytes(of path: String) -> Int64? {
        guard FileSystem.isThere(path) else { return nil }
        return StoreFiles(followingLinks: path).totalSize
    }

    /// Returns a digest of a store's version hashes.
    static func digest(_ hashes: [String: [UInt8]]) -> String {
        let lines = hashes.sorted { $0.key < $1.key }.map { name, hash in
            "\(name) \(VersionHash(bytes: hash)?.hex ?? "\(hash)")\n"
        }
        return TextDigest.hexadecimal(of: lines.joined())
    }
}

extension FleetOptions {
    /// Whether the output for a store is a store, too.
    var makesStores: Bool {
        switch operation {
        case .migrate, .convert, .repair: true
        case .verify, .inspect, .export: false
        }
    }
}
