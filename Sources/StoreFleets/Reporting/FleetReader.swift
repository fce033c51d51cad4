import PersistentStores
import SQLiteAccess

/// Reads the ledgers of a fleet, also while its shards run. Memory does not grow with the number of stores.
public struct FleetReader {
    /// How much of the stores a report names.
    public struct Limits: Sendable {
        public var examples = 3
        public var stragglers = 10
        public var intervals = 48

        public init() {}
    }

    private let manifest: FleetManifest
    private let limits: Limits

    public init(_ manifest: FleetManifest, limits: Limits = Limits()) {
        self.manifest = manifest
        self.limits = limits
    }

    public func status() throws -> FleetStatus {
        var status = FleetStatus()
        status.total = try manifest.storeCount()
        for shard in try manifest.shards() {
            try withLedger(of: shard.number) { connection in
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

    public func report() throws -> FleetReport {
        var report = FleetReport(manifest)
        let shards = try manifest.shards()
        var span: (start: Double, end: Double)?
        for shard in shards {
            try withLedger(of: shard.number) { connection in
                let row = try connection.rows(
                    "SELECT min(finished - seconds), max(finished) FROM outcome WHERE status <> 'begun'")[0]
                guard let start = row[0].real, let end = row[1].real else { return }
                span = (min(span?.start ?? start, start), max(span?.end ?? end, end))
            }
        }
        var totals = ReportTotals(start: span?.start ?? 0, end: span?.end ?? 0, limits: limits)
        for shard in shards {
            try withLedger(of: shard.number) { try totals.add($0, shard: shard.number) }
            totals.note(shard, in: &report)
        }
        totals.fill(&report)
        report.status = try status()
        return report
    }

    /// Opens a ledger for reading; nothing is done where the shard was not begun.
    private func withLedger(of shard: Int, _ body: (Connection) throws -> Void) throws {
        let path = manifest.ledgerPath(of: shard)
        // A run that is just beginning has made the file, and nothing in it.
        guard FileSystem.isThere(path), (FileSystem.size(path) ?? 0) > 0 else { return }
        do {
            let connection = try Connection(path: path, access: .readOnly, busyTimeout: 60_000)
            defer { try? connection.close() }
            guard try connection.value("SELECT count(*) FROM sqlite_schema WHERE name = 'ledger'") == .integer(1)
            else { throw FleetError.foreignLedger(path) }
            guard let owner = try connection.value("SELECT manifest FROM ledger").string, owner == manifest.identity
            else { throw FleetError.foreignLedger(path) }
            try connection.transaction(.deferred) { try body(connection) }
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
    }
}
