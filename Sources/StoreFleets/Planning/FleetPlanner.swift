import FoundationEssentials
import Glibc
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreConversion
import StoreMigration

/// Plans a fleet: reads the metadata of each store, and writes the manifest. Stores are not changed.
///
/// Memory does not grow with the number of stores. Confined to one thread.
public final class FleetPlanner {
    private let options: FleetOptions
    private let path: String
    private let shards: Int
    private let staged: StagedFile
    private let connection: Connection
    private var insertion: Statement?
    private let models: FleetModels
    private let migrator: StoreMigrator
    private let isCancelled: (@Sendable () -> Bool)?

    /// Called after each store with the number of stores in the plan.
    public var onProgress: ((Int64) -> Void)?
    private var storeCount: Int64 = 0

    /// The time per byte relative to `ALTER TABLE`, by the version of the store.
    private var weights: [String: Int64] = [:]
    private var duplicates: Int64 = 0

    /// The fixed cost of a store for opening, planning and synchronizing, expressed in bytes.
    private static let fixedCost: Int64 = 256 << 10

    /// Begins a plan.
    /// - Parameters:
    ///   - options: the options of the fleet.
    ///   - shards: the number of shards, at least 1.
    ///   - path: the path of the manifest, which must not exist.
    ///   - isCancelled: called from time to time; true ends the work with an error.
    /// - Throws: `StoreError` if a manifest or its ledgers exist already; any error from reading the models.
    public init(
        _ options: FleetOptions, shards: Int, to path: String, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws {
        self.options = options
        self.path = path
        self.shards = max(1, shards)
        self.isCancelled = isCancelled
        // Ledgers of another manifest must not be used for this one.
        for path in [path, path + ".ledger"] where FileSystem.isThere(path) { throw StoreError(.exists, path: path) }
        models = try FleetModels(options)
        migrator = models.migrator(options, isDryRun: true, isCancelled: isCancelled)
        if options.operation == .migrate, let version = options.version {
            _ = try models.catalog.version(named: version)
        }
        try models.migrationModels.check(policyClasses: options.policies.keys.sorted())
        staged = try StagedFile(for: path)
        do {
            connection = try Connection(path: staged.path, access: .create)
            try connection.execute(
                """
                PRAGMA application_id = \(FleetManifest.applicationID);
                PRAGMA user_version = \(FleetManifest.formatVersion);
                PRAGMA journal_mode = OFF;
                PRAGMA synchronous = OFF;
                CREATE TABLE fleet (identity TEXT, checksum TEXT, shards INTEGER, options TEXT);
                CREATE TABLE store (
                    number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL, version TEXT,
                    problem TEXT, cost INTEGER NOT NULL, shard INTEGER, output TEXT UNIQUE, backup TEXT);
                BEGIN;
                """)
            insertion = try connection.prepare(
                "INSERT INTO store (path, bytes, version, problem, cost, output, backup) VALUES (?, ?, ?, ?, ?, ?, ?)",
                persistent: true)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Adds a store, all stores in a folder, or those that match a pattern with `*`, `?`, `[...]` and `**`.
    ///
    /// - Parameters:
    ///   - path: the path of a store or a folder, or a pattern.
    ///   - hasPatterns: whether a path that does not exist may be a pattern.
    /// - Throws: `FleetError` with `badStorePath` for a path that is empty or contains NUL, `nothingMatches` for a
    ///   pattern without matches, and `sharedDestination` if the outputs of two stores would have the same path;
    ///   `StoreError` if a folder cannot be read. A store that cannot be read is planned nevertheless; its row will
    ///   contain the error.
    public func add(_ path: String, hasPatterns: Bool = true) throws {
        if path.isEmpty || path.utf8.contains(0) { throw FleetError.badStorePath(path) }
        if options.isRemote { return try addRemote(path) }
        let absolute = FileSystem.absolute(path)
        if FileSystem.isDirectory(path) { return try addStores(in: absolute, below: absolute) }
        guard hasPatterns, !FileSystem.isThere(path), let pattern = PathPattern(absolute) else {
            return try add(store: absolute, as: Self.name(of: absolute, below: "/"))
        }
        var isEmpty = true
        try pattern.forEachPath { found in
            isEmpty = false
            if FileSystem.isDirectory(found) { return try addStores(in: found, below: pattern.folder) }
            try add(store: found, as: Self.name(of: found, below: pattern.folder))
        }
        if isEmpty { throw FleetError.nothingMatches(path) }
    }

    private func addStores(in folder: String, below: String) throws {
        try StoreSearch.forEachStore(in: folder) { store in
            try add(store: store, as: Self.name(of: store, below: below))
        }
    }

    private static func name(of path: String, below folder: String) -> String {
        String(path.dropFirst(folder == "/" ? 1 : folder.count + 1))
    }

    /// - Parameter line: a name, which may be followed by a tab and a size in bytes.
    private func addRemote(_ line: String) throws {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        let bytes = parts.count == 2 ? Int64(parts[1]) : 0
        guard let name = parts.first.map(String.init), !name.isEmpty, parts.count < 3, let bytes, bytes >= 0 else {
            throw FleetError.badStorePath(line)
        }
        // The origin does not determine the output's location, which stays below the given folder.
        let below = FileSystem.absolute("/" + name)
        try insert(name, bytes: bytes, cost: bytes, as: String(below.dropFirst()), (nil, nil))
    }

    /// - Parameter name: the path below the folders for backups and output.
    private func add(store path: String, as name: String) throws {
        // A store is added once, by whatever paths it is given.
        let resolved = FileSystem.resolvingLinks(path)
        let bytes = StoreWorker.bytes(of: resolved) ?? 0
        var version: String?
        var problem: String?
        do {
            let metadata = try PersistentStoreRegistry.standard.metadata(at: resolved)
            version = models.catalog.match(metadata)?.version.name
            if version == nil, options.operation == .migrate { problem = "unknown-version" }
        } catch {
            problem = StoreFailure(error).reason
        }
        let (cost, isTooLarge) = bytes.multipliedReportingOverflow(by: weight(of: resolved, version))
        try insert(resolved, bytes: bytes, cost: isTooLarge ? .max : cost, as: name, (version, problem))
    }

    private func insert(
        _ path: String, bytes: Int64, cost: Int64, as name: String, _ known: (version: String?, problem: String?)
    ) throws {
        if isCancelled?() ?? false { throw StoreError(FileError(.read, path, number: ECANCELED)) }
        let output = options.outputDirectory.map { $0 + "/" + options.productName(of: name) }
        func value(_ text: String?) -> SQLiteValue { text.map { .string($0) } ?? .null }
        do {
            try insertion?.bind([
                .string(path), .integer(bytes), value(known.version), value(known.problem),
                .integer(SaturatingSum.of([cost, Self.fixedCost])), value(output),
                value(options.backup.map { $0 + "/" + name }),
            ])
            try insertion?.run()
            storeCount += 1
            onProgress?(storeCount)
        } catch {
            guard error.isConstraint else { throw StoreError(error, path: self.path) }
            guard try connection.value("SELECT 1 FROM store WHERE path = ?", [.string(path)]) == .null else {
                duplicates += 1
                return
            }
            throw FleetError.sharedDestination(output ?? "", store: path)
        }
    }

    /// Returns the cost per byte of a store; the migration of the first store of each version is planned to determine
    /// it.
    private func weight(of path: String, _ version: String?) -> Int64 {
        guard options.operation == .migrate, let version else { return 1 }
        if let known = weights[version] { return known }
        var weight: Int64 = 1
        if let plan = try? migrator.plan(path, .replace(backup: nil)).plan {
            weight = plan.isUpToDate ? 0 : plan.steps.reduce(0) { $0 + Self.weight(of: $1.plan.entities.map(\.tier)) }
        }
        weights[version] = weight
        return weight
    }

    /// Returns a rough weight from measurements: copying rows in SQL takes twice as long as copying and altering a
    /// file, and copying rows in Swift twice as long again.
    private static func weight(of tiers: [MigrationTier]) -> Int64 {
        tiers.map { tier -> Int64 in
            switch tier {
            case .none, .inPlace: 1
            case .sqlTransfer: 2
            case .rowTransfer: 4
            case .policyTransfer: 16
            }
        }.max() ?? 1
    }

    /// Distributes the stores among the shards, and gives the manifest its name.
    /// - Throws: `StoreError` if the manifest cannot be written, or exists by now.
    public func finish() throws -> FleetSummary {
        do {
            try shareOut()
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let text = String(decoding: try encoder.encode(options), as: UTF8.self)
            try connection.execute(
                "INSERT INTO fleet VALUES (?, ?, ?, ?)",
                [.string(UUID().uuidString), .string(models.checksum), .integer(Int64(shards)), .string(text)])
            try connection.execute("CREATE INDEX store_shard ON store (shard, cost DESC, number, bytes)")
            try connection.execute("COMMIT")
            let summary = try summary()
            // An open statement would keep the connection open.
            insertion = nil
            try connection.close()
            try staged.synchronize()
            _ = try staged.move(to: path, replacing: false)
            return summary
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
    }

    private func shareOut() throws(SQLiteError) {
        var loads = ShardLoads(count: shards)
        // The most expensive stores first, so that the others even out the shards. All rows are sorted before the first
        // one is returned, and no index has the column that changes.
        let sorted = try connection.prepare("SELECT number, cost FROM store ORDER BY +cost DESC, number")
        let update = try connection.prepare("UPDATE store SET shard = ? WHERE number = ?", persistent: true)
        while try sorted.step() {
            try update.bind([.integer(Int64(loads.add(sorted.integer(1)))), .integer(sorted.integer(0))])
            try update.run()
        }
        sorted.reset()
    }

    private func summary() throws -> FleetSummary {
        func counts(_ column: String) throws -> [String: Int64] {
            let rows = try connection.rows(
                "SELECT \(column), count(*) FROM store WHERE \(column) IS NOT NULL GROUP BY \(column)")
            return Dictionary(rows.map { ($0[0].string ?? "", $0[1].integer ?? 0) }) { $0 + $1 }
        }
        let row = try connection.rows("SELECT count(*), total(bytes) FROM store")[0]
        return FleetSummary(
            manifest: path, operation: options.operation, stores: row[0].integer ?? 0,
            bytes: Int64(clamping: Int(min(row[1].real ?? 0, 9e18))), duplicates: duplicates, shards: shards,
            versions: try counts("version"), problems: try counts("problem"))
    }
}
