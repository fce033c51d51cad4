import FoundationEssentials
import PersistentStores
import SQLiteAccess

/// The outcomes of the stores in a shard: an SQLite file with a durable row for each store.
final class ShardLedger {
    /// The entry of a store in the ledger.
    enum Entry: Equatable, Sendable {
        case none
        /// A run was killed while it processed the store.
        case begun
        case done
        case failed(isTemporary: Bool)
    }

    private let connection: Connection
    private let lookup: Statement
    private let insertion: Statement
    private let beginning: Statement

    static let schema = """
        CREATE TABLE IF NOT EXISTS ledger (manifest TEXT NOT NULL, shard INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS outcome (
            store INTEGER PRIMARY KEY, path TEXT NOT NULL, status TEXT NOT NULL, reason TEXT, message TEXT,
            temporary INTEGER NOT NULL, warnings INTEGER NOT NULL, version_before TEXT, version_after TEXT,
            hashes_before TEXT, hashes_after TEXT, bytes_before INTEGER, bytes_after INTEGER, objects INTEGER,
            findings TEXT, seconds REAL NOT NULL, finished REAL NOT NULL);
        """

    /// Opens the ledger; makes it if it does not exist.
    ///
    /// - Parameters:
    ///   - isLocked: whether the caller holds the shard's lock; a run without it uses a separate ledger.
    ///   - journal: returns how the rows of a ledger that others may read meanwhile are written to the device, by its
    ///     path.
    init(
        _ manifest: FleetManifest, shard: Int, isLocked: Bool,
        journal fitting: (String) -> LedgerJournal
    ) throws {
        let path = isLocked ? manifest.ledgerPath(of: shard) : manifest.newLedgerPath(of: shard)
        let others = try manifest.ledgerPaths()[shard, default: []].filter { $0 != path }
        do {
            connection = try Connection(
                path: path, access: isLocked ? .create : .createWithoutLocks, busyTimeout: 60_000)
            try connection.execute("PRAGMA synchronous = FULL")
            try connection.transaction { [connection] in
                try connection.execute(Self.schema)
                if try connection.value("SELECT count(*) FROM ledger") == .integer(0) {
                    try connection.execute(
                        "INSERT INTO ledger VALUES (?, ?)", [.string(manifest.identity), .integer(Int64(shard))])
                }
            }
            // Not before: a process that reads an existing ledger must find its tables.
            let journal = isLocked ? fitting(path) : .rollback
            _ = try connection.value("PRAGMA journal_mode = \(journal.rawValue)")
            let owner = try connection.value("SELECT manifest FROM ledger").string
            guard owner == manifest.identity else { throw FleetError.foreignLedger(path) }
            for other in others { try Self.takeOver(other, of: manifest, into: connection) }
            lookup = try connection.prepare("SELECT status, temporary FROM outcome WHERE store = ?", persistent: true)
            insertion = try connection.prepare(
                "INSERT OR REPLACE INTO outcome VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                persistent: true)
            beginning = try connection.prepare(
                """
                INSERT OR REPLACE INTO outcome (store, path, status, temporary, warnings, bytes_before, seconds, finished)
                VALUES (?, ?, 'begun', 1, 0, ?, 0, 0)
                """, persistent: true)
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
    }

    /// Adds the results of a run without locks. A ledger that is still being written may be unreadable; its stores are
    /// then checked again, which does no harm.
    private static func takeOver(
        _ path: String, of manifest: FleetManifest, into connection: Connection
    ) throws(SQLiteError) {
        do throws(SQLiteError) {
            try connection.attach(path: path, as: "other", access: .readOnly)
        } catch { return }
        defer { try? connection.detach("other") }
        guard (try? connection.value("SELECT manifest FROM other.ledger"))?.string == manifest.identity else { return }
        try connection.execute(
            """
            INSERT OR IGNORE INTO main.outcome SELECT * FROM other.outcome WHERE status = 'done'
            """)
    }

    func entry(of store: FleetStore) throws -> Entry {
        lookup.reset()
        try lookup.bind([.integer(store.number)])
        defer { lookup.reset() }
        guard try lookup.step() else { return .none }
        switch lookup.string(0) {
        case "done": return .done
        case "begun": return .begun
        default: return .failed(isTemporary: lookup.integer(1) != 0)
        }
    }

    /// Returns whether a run with another ledger of the shard has begun the store, if there are no locks.
    func isBegun(_ store: FleetStore, in ledgers: [String]) -> Bool {
        for other in ledgers where other != connection.path {
            guard let other = try? Connection(path: other, access: .readOnly) else { continue }
            defer { try? other.close() }
            let row = try? other.value(
                "SELECT 1 FROM outcome WHERE store = ? AND status IN ('begun', 'done')", [.integer(store.number)])
            if row == .integer(1) { return true }
        }
        return false
    }

    /// Records that the processing of a store begins; durably, unless within a transaction.
    func begin(_ store: FleetStore) throws {
        try beginning.bind([.integer(store.number), .string(store.path), .integer(store.bytes)])
        try beginning.run()
    }

    /// Makes several changes together and durably; after an error nothing is changed.
    func transaction(_ body: () throws -> Void) throws {
        try connection.transaction { try body() }
    }

    /// Writes the row of a store; durably, unless within a transaction.
    func write(_ row: LedgerRow) throws {
        let (result, store) = (row.result, row.store)
        func text(_ value: String?) -> SQLiteValue { value.map { .string($0) } ?? .null }
        func integer(_ value: Int64?) -> SQLiteValue { value.map { .integer($0) } ?? .null }
        let failure = result.failure
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let findings =
            result.findings.isEmpty ? nil : String(decoding: try encoder.encode(result.findings), as: UTF8.self)
        try insertion.bind([
            .integer(store.number), .string(store.path), .string(failure == nil ? "done" : "failed"),
            text(failure?.reason), text(failure?.message), .integer(failure?.isTemporary == true ? 1 : 0),
            .integer(result.warnings), text(result.versionBefore), text(result.versionAfter),
            text(result.hashesBefore), text(result.hashesAfter), integer(result.bytesBefore ?? store.bytes),
            integer(result.bytesAfter), integer(result.objects), text(findings), .real(row.seconds),
            .real(row.finished),
        ])
        try insertion.run()
    }

    /// Returns how many of some stores have failed, and how many of these for a temporary reason.
    func failures(of stores: [Int64]) throws -> (all: Int, temporary: Int) {
        var (all, temporary) = (0, 0)
        for number in stores {
            lookup.reset()
            try lookup.bind([.integer(number)])
            if try lookup.step(), lookup.string(0) == "failed" {
                all += 1
                temporary += lookup.integer(1) != 0 ? 1 : 0
            }
        }
        lookup.reset()
        return (all, temporary)
    }
}
