import PersistentStores
import SQLiteAccess

/// Reads the ledgers of a fleet, even while its shards run. Memory does not grow with the number of stores.
public struct FleetReader {
    /// Limits on the details in a report.
    public struct Limits: Sendable {
        /// The maximum number of stores that are named for each reason.
        public var examples = 3
        /// The maximum number of slow stores that are named.
        public var stragglers = 10
        /// The maximum number of intervals into which the time is divided.
        public var intervals = 48

        /// Makes the default limits.
        public init() {}
    }

    private let manifest: FleetManifest
    private let limits: Limits

    /// Prepares to read the ledgers of a manifest.
    public init(_ manifest: FleetManifest, limits: Limits = Limits()) {
        self.manifest = manifest
        self.limits = limits
    }

    /// Counts the stores that are done, failed and pending.
    /// - Throws: `FleetError.foreignLedger` if a ledger belongs to another fleet; `StoreError` or `SQLiteError` if one
    ///   cannot be read.
    public func status() throws -> FleetStatus {
        var status = FleetStatus()
        status.total = try manifest.storeCount()
        let paths = try manifest.ledgerPaths()
        for shard in paths.keys.sorted() {
            try withOutcomes(paths[shard, default: []]) { connection in
                let rows = try connection.rows(
                    "SELECT status, reason, count(*) FROM outcome WHERE status <> 'begun' GROUP BY status, reason")
                for row in rows {
                    let count = row[2].integer ?? 0
                    if row[0].string == "done" {
                        status.done += count
                    } else {
                        status.failed += count
                        status.byReason[row[1].string ?? "", default: 0] += count
                    }
                }
            }
        }
        status.pending = status.total - status.done - status.failed
        return status
    }

    /// Makes a report about all stores.
    /// - Throws: `FleetError.foreignLedger` if a ledger belongs to another fleet; `StoreError` or `SQLiteError` if one
    ///   cannot be read.
    public func report() throws -> FleetReport {
        var report = FleetReport(manifest)
        let paths = try manifest.ledgerPaths()
        var span: (start: Double, end: Double)?
        for shard in paths.keys.sorted() {
            try withOutcomes(paths[shard, default: []]) { connection in
                let row = try connection.rows(
                    "SELECT min(finished - seconds), max(finished) FROM outcome WHERE status <> 'begun'")[0]
                guard let start = row[0].real, let end = row[1].real else { return }
                span = (min(span?.start ?? start, start), max(span?.end ?? end, end))
            }
        }
        var totals = ReportTotals(start: span?.start ?? 0, end: span?.end ?? 0, limits: limits)
        for shard in try manifest.shards() {
            try withOutcomes(paths[shard.number, default: []]) { try totals.add($0, shard: shard.number) }
            totals.note(shard, in: &report)
        }
        totals.fill(&report)
        report.status = try status()
        return report
    }

    /// Opens the ledgers of a shard for reading, as one; does nothing if the shard has not been started.
    private func withOutcomes(_ paths: [String], _ body: (Connection) throws -> Void) throws {
        // A run that has just been started has made an empty file.
        let paths = paths.filter { (FileSystem.size($0) ?? 0) > 0 }
        guard let first = paths.first else { return }
        guard paths.count == 1 else { return try withMerged(paths, body) }
        do {
            let connection = try Connection(path: first, access: .readOnly, busyTimeout: 60_000)
            defer { try? connection.close() }
            guard try hasTables(connection, "main") else { return }
            try checkOwner(connection, path: first)
            try connection.transaction(.deferred) { try body(connection) }
        } catch let error as SQLiteError {
            throw StoreError(error, path: first)
        }
    }

    /// Merges the ledgers of runs without locks, on disk. If a store has several rows, one that says that it is done is
    /// used, otherwise the last one.
    private func withMerged(_ paths: [String], _ body: (Connection) throws -> Void) throws {
        do {
            let folder = try TemporaryFolder(kind: "ferry-ledger-")
            let connection = try Connection(path: folder.path + "/merged.sqlite", access: .create)
            defer { try? connection.close() }
            try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            try connection.execute(ShardLedger.schema)
            for path in paths {
                try connection.attach(path: path, as: "part", access: .readOnly)
                guard try hasTables(connection, "part") else {
                    try connection.detach("part")
                    continue
                }
                guard try connection.value("SELECT manifest FROM part.ledger").string == manifest.identity else {
                    throw FleetError.foreignLedger(path)
                }
                try connection.execute(
                    """
                    INSERT INTO main.outcome SELECT * FROM part.outcome WHERE true
                    ON CONFLICT (store) DO UPDATE SET
                        (path, status, reason, message, temporary, warnings, version_before, version_after,
                         hashes_before, hashes_after, bytes_before, bytes_after, objects, findings, seconds, finished)
                        = (excluded.path, excluded.status, excluded.reason, excluded.message, excluded.temporary,
                           excluded.warnings, excluded.version_before, excluded.version_after,
                           excluded.hashes_before, excluded.hashes_after, excluded.bytes_before,
                           excluded.bytes_after, excluded.objects, excluded.findings, excluded.seconds,
                           excluded.finished)
                    WHERE outcome.status <> 'done'
                        AND (excluded.status = 'done' OR excluded.finished > outcome.finished)
                    """)
                try connection.detach("part")
            }
            try body(connection)
        } catch let error as SQLiteError {
            throw StoreError(error, path: paths[0])
        }
    }

    /// Returns whether a ledger has its tables; it has none if a run was killed while creating them.
    private func hasTables(_ connection: Connection, _ schema: String) throws -> Bool {
        try connection.value("SELECT count(*) FROM \(schema).sqlite_schema") != .integer(0)
    }

    private func checkOwner(_ connection: Connection, path: String) throws {
        guard try connection.value("SELECT count(*) FROM sqlite_schema WHERE name = 'ledger'") == .integer(1),
            try connection.value("SELECT manifest FROM ledger").string == manifest.identity
        else { throw FleetError.foreignLedger(path) }
    }
}
