import ManagedObjectModels
public import PersistentStores
import SQLiteAccess
import TextEncodings

/// A store of a model version with made-up data that keep every rule of the model.
///
/// Every value and every link is computed from the seed, the names in the model and the number of the object: nothing
/// is kept in memory, the same seed gives the same bytes, and what stays in a later version keeps its data.
public struct StoreFixture {
    private let newStore: NewStore
    private let version: String
    private let options: FixtureOptions

    /// Prepares a store, which `write(to:)` makes.
    /// - Parameters:
    ///   - newStore: an empty store of the version; see `uuid(seed:checksum:)` for its UUID.
    ///   - version: the version's name, for the report.
    ///   - options: how many objects there are, and the seed.
    public init(newStore: NewStore, version: String, options: FixtureOptions) {
        self.newStore = newStore
        self.version = version
        self.options = options
    }

    /// The UUID of the store that a seed gives of a model, in upper case.
    ///
    /// - Parameters:
    ///   - seed: the seed of the data.
    ///   - checksum: the version's checksum, so that stores of different versions have different UUIDs.
    public static func uuid(seed: UInt64, checksum: String) -> String {
        var random = SeededNumbers(SeededNumbers.mixed(seed) ^ SeededNumbers.number(of: checksum))
        return UUIDText.text(random.uuid())
    }

    /// Makes the store; it is whole or not there.
    ///
    /// - Throws: `StoreError` where something is there already or cannot be written, `FixtureError`.
    public func write(to path: String) throws -> FixtureReport {
        let start = Clock.seconds
        guard !FileSystem.isThere(path) else { throw StoreError(.exists, path: path) }
        let directory = FileSystem.directory(of: path)
        guard FileSystem.isDirectory(directory) else { throw StoreError(.folderMissing, path: directory) }
        try newStore.layout.checkCreatable(at: path)
        let files = try FixtureExternalData(store: path)
        let plan = FixturePlan(
            layout: newStore.layout, rows: options.rows, seed: options.seed, holdsObjects: newStore.holdsObjects)
        let staged = try StagedFile(for: path)
        do {
            try fill(staged.path, plan, files, path: path)
            try staged.synchronize()
            try files.finish(like: staged.path)
        } catch {
            try? files.remove()
            throw error
        }
        var findings = plan.findings
        do {
            if let error = try staged.move(to: path, replacing: false) {
                findings.append(
                    FixtureFinding(code: .notDurable, subject: path, message: error.durabilityNote(path)))
            }
        } catch {
            files.takeBack()
            throw error
        }
        return FixtureReport(
            store: path, version: version, uuid: newStore.metadata.uuid, seed: options.seed,
            entities: plan.model.entities.filter { !$0.isAbstract && newStore.holdsObjects(of: $0.name) }.map {
                FixtureReport.Entity(name: $0.name, objects: plan.counts.counts[$0.slot])
            },
            joinRows: plan.links.reduce(0) { $0 + $1.links.joinRows }, externalFiles: files.count,
            findings: findings, seconds: Clock.seconds - start, peakMemory: ProcessMemory.peak)
    }

    private func fill(_ staged: String, _ plan: FixturePlan, _ files: FixtureExternalData, path: String) throws {
        do {
            let connection = try Connection(path: staged, access: .create)
            defer { try? connection.close() }
            try registerCoreDataFunctions(connection)
            // No one sees the file before it is whole.
            try connection.execute(
                "PRAGMA main.journal_mode = MEMORY; PRAGMA main.synchronous = OFF; "
                    + "PRAGMA main.locking_mode = EXCLUSIVE; PRAGMA main.cache_size = -\(options.fixedLimits.pages)")
            try newStore.createTables(connection)
            var writer = FixtureWriter(plan, connection, files, options: options)
            try writer.write()
            for index in newStore.layout.indexes().indexes {
                if options.isCancelled() { throw FixtureError.cancelled }
                do throws(SQLiteError) {
                    try connection.execute(index.createStatement)
                } catch {
                    guard error.isConstraint else { throw error }
                    throw FixtureError.notUnique(error.message)
                }
            }
            try newStore.createTriggers(connection)
            _ = try connection.value("PRAGMA main.locking_mode = NORMAL")
            // Core Data's own stores use a write-ahead log since 2013.
            _ = try connection.value("PRAGMA journal_mode = WAL")
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
    }
}
