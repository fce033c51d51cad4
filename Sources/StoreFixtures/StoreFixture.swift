import ManagedObjectModels
public import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly
import TextEncodings

/// A store of a model version with generated data that satisfy all rules of the model.
///
/// Every value and every link is computed from the seed, the names in the model and the number of the object: no data
/// are kept in memory, the same seed gives the same bytes, and unchanged parts of a later version have the same data.
public struct StoreFixture {
    private let newStore: NewStore
    private let version: String
    private let options: FixtureOptions

    /// Prepares a store, which is made by `write(to:)`.
    /// - Parameters:
    ///   - newStore: an empty store of the version; see `uuid(seed:checksum:)` for its UUID.
    ///   - version: the version's name, for the report.
    ///   - options: the number of objects, and the seed.
    public init(newStore: NewStore, version: String, options: FixtureOptions) {
        self.newStore = newStore
        self.version = version
        self.options = options
    }

    /// Returns the UUID of the store for a seed and a model, in upper case.
    ///
    /// - Parameters:
    ///   - seed: the seed of the data.
    ///   - checksum: the version's checksum, so that stores of different versions have different UUIDs.
    public static func uuid(seed: UInt64, checksum: String) -> String {
        var random = SeededNumbers(SeededNumbers.mixed(seed) ^ SeededNumbers.number(of: checksum))
        return UUIDText.text(random.uuid())
    }

    /// Makes the store; after an error it does not exist.
    ///
    /// - Throws: `StoreError` if the path exists already or cannot be written, `FixtureError`.
    public func write(to path: String) throws -> FixtureReport {
        let start = Clock.seconds
        guard !FileSystem.isThere(path) else { throw StoreError(.exists, path: path) }
        let directory = FileSystem.directory(of: path)
        guard FileSystem.isDirectory(directory) else { throw StoreError(.folderMissing, path: directory) }
        try newStore.layout.checkCreatable(at: path)
        let files = try StagedExternalData(for: path)
        let plan = FixturePlan(
            layout: newStore.layout, rows: options.rows, seed: options.seed, holdsObjects: newStore.holdsObjects)
        let staged = try StagedFile(for: path)
        try fill(staged, plan, files, path: path)
        try staged.synchronize()
        try files.place(like: staged.path)
        var findings = plan.findings
        if let error = try staged.move(to: path, replacing: false) {
            findings.append(FixtureFinding(code: .notDurable, subject: path, message: error.durabilityNote(path)))
        }
        files.keep()
        return FixtureReport(
            store: path, version: version, uuid: newStore.metadata.uuid, seed: options.seed,
            entities: plan.model.entities.filter { !$0.isAbstract && newStore.holdsObjects(of: $0.name) }.map {
                FixtureReport.Entity(name: $0.name, objects: plan.counts.counts[$0.slot])
            },
            joinRows: plan.links.reduce(0) { $0 + $1.links.joinRows }, externalFiles: files.count,
            findings: findings, seconds: Clock.seconds - start, peakMemory: ProcessMemory.peak)
    }

    private func fill(_ staged: StagedFile, _ plan: FixturePlan, _ files: StagedExternalData, path: String) throws {
        do {
            let file = try NewStoreFile(at: staged.path, newStore, pages: options.fixedLimits.pages)
            defer { try? file.connection.close() }
            let build = try file.begin(options.fixedLimits.build)
            var writer = FixtureWriter(plan, build, files, options: options)
            try writer.write()
            try build.finish()
            try file.setHighestKeys(
                plan.model.entities.map { Int64(plan.counts.population(of: $0.root).count) })
            try file.makeIndexes { _, error in throw FixtureError.notUnique(error.message) }
            try file.connection.execute("COMMIT")
            if options.isCancelled() { throw FixtureError.cancelled }
            staged.beginSynchronizing()
            let faults = try file.faults(isCancelled: options.isCancelled)
            guard faults.isEmpty else { throw FixtureError.notBuilt(faults.joined(separator: "; ")) }
            // Core Data's own stores have used a write-ahead log since 2013.
            try file.finish(journalMode: "WAL")
        } catch let error as SQLiteError {
            if error.isInterrupted, options.isCancelled() { throw FixtureError.cancelled }
            throw StoreError(error, path: path)
        } catch let error as BuildError {
            throw StoreError(error) ?? FixtureError.notBuilt(error.description)
        }
    }
}
