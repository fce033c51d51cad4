import PersistentStores
import SQLiteAccess

/// What became of the stores of a shard: an SQLite file that gets a row, on the device, for each store.
final class ShardLedger {
    /// What the ledger says of a store.
    enum Entry: Equatable {
        case none
        /// A run was killed while it worked on the store.
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
            bytes_before INTEGER, bytes_after INTEGER, seconds REAL NOT NULL, finished REAL NOT NULL);
        """

    /// Opens the ledger, or makes it; the caller holds the shard's lock.
    init(_ manifest: FleetManifest, shard: Int) throws {
        let path = manifest.ledgerPath(of: shard)
        do {
            connection = try Connection(path: path, access: .create, busyTimeout: 60_000)
            _ = try connection.value("PRAGMA journal_mode = TRUNCATE")
            try connection.execute("PRAGMA synchronous = FULL")
            try connection.transaction { [connection] in
                try connection.execute(Self.schema)
                if try connection.value("SELECT count(*) FROM ledger") == .integer(0) {
                    try connection.execute(
                        "INSERT INTO ledger VALUES (?, ?)", [.string(manifest.identity), .integer(Int64(shard))])
                }
            }
            let owner = try connection.value("SELECT manifest FROM ledger").string
            guard owner == manifest.identity else { throw FleetError.foreignLedger(path) }
            lookup = try connection.prepare("SELECT status, temporary FROM outcome WHERE store = ?", persistent: true)
            insertion = try connection.prepare(
                "INSERT OR REPLACE INTO outcome VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", persistent: true)
            beginning = try connection.prepare(
                "INSERT OR REPLACE INTO outcome VALUES (?, ?, 'begun', NULL, NULL, 1, 0, NULL, NULL, ?, NULL, 0, 0)",
                persistent: true)
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
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

    /// Notes that work on a store begins.
    func begin(_ store: FleetStore) throws {
        try beginning.bind([.integer(store.number), .string(store.path), .integer(store.bytes)])
        try beginning.run()
    }

    /// Writes the row of a store; it is on the device afterwards.
    func write(_ result: StoreResult, of store: FleetStore, seconds: Double, finished: Double) throws {
        func text(_ value: String?) -> SQLiteValue { value.map { .string($0) } ?? .null }
        let failure = result.failure
        try insertion.bind([
            .integer(store.number), .string(store.path), .string(failure == nil ? "done" : "failed"),
            text(failure?.reason), text(failure?.message), .integer(failure?.isTemporary == true ? 1 : 0),
            .integer(result.warnings), text(result.versionBefore), text(result.versionAfter), .integer(store.bytes),
            result.bytesAfter.map { .integer($0) } ?? .null, .real(seconds), .real(finished),
        ])
        try insertion.run()
    }
}
