import FoundationEssentials
import PersistentStores
import SQLiteAccess

/// The manifest of a fleet: an SQLite file with the operation and its options, and each store with its shard.
///
/// It is opened read-only, and confined to the thread that opened it.
public final class FleetManifest {
    /// A shard, with the number of its stores and their size.
    public struct Shard: Sendable, Hashable {
        /// The shard's number, from 1.
        public let number: Int
        /// The number of stores in the shard.
        public let stores: Int64
        /// The size of its stores, in bytes.
        public let bytes: Int64
    }

    /// The path of the manifest.
    public let path: String
    /// The options of the fleet.
    public let options: FleetOptions
    /// The number of shards.
    public let shardCount: Int

    /// The identity that is recorded in ledgers.
    let identity: String
    let checksum: String
    private let connection: Connection

    /// "FERF", and the version of the tables.
    static let applicationID = 0x4645_5246
    static let formatVersion = 2

    /// Opens a manifest.
    /// - Throws: `StoreError` if the file does not exist, and `FleetError.notAManifest`.
    public init(path: String) throws {
        try StoreError.checkReach(path)
        // Ledgers are beside the target of a link, regardless of the path that a run uses.
        self.path = FileSystem.resolvingLinks(path)
        guard FileSystem.isDatabase(path) else { throw FleetError.notAManifest(path) }
        do {
            connection = try Connection(path: path, access: .readOnly, busyTimeout: LockTimeout.milliseconds)
            guard try connection.value("PRAGMA application_id").integer == Int64(Self.applicationID),
                try connection.value("PRAGMA user_version").integer == Int64(Self.formatVersion),
                let row = try connection.rows("SELECT identity, checksum, shards, options FROM fleet").first,
                let identity = row[0].string, let checksum = row[1].string,
                let shards = row[2].integer.flatMap(Int.init(exactly:)), shards > 0,
                let options = try? JSONDecoder().decode(FleetOptions.self, from: Data((row[3].string ?? "").utf8))
            else { throw FleetError.notAManifest(path) }
            (self.identity, self.checksum, shardCount, self.options) = (identity, checksum, shards, options)
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
    }

    /// The folder of the ledgers, with a file for each shard that has been started.
    public var ledgerDirectory: String { path + ".ledger" }

    private static let ledgerName = "shard-"
    private static let ledgerEnding = ".sqlite"

    private func ledgerStem(of shard: Int) -> String {
        let digits = String(shard)
        let padding = String(repeating: "0", count: max(0, 6 - digits.count))
        return "\(ledgerDirectory)/\(Self.ledgerName)\(padding)\(digits)"
    }

    /// Returns the path of the ledger for runs that hold the shard's lock.
    func ledgerPath(of shard: Int) -> String { ledgerStem(of: shard) + Self.ledgerEnding }

    /// Returns the path of a ledger for a single run, if the file system has no locks.
    func newLedgerPath(of shard: Int) -> String {
        "\(ledgerStem(of: shard))-\(UUID().uuidString)\(Self.ledgerEnding)"
    }

    /// Returns the paths of existing ledgers by shard; that of the runs with a lock is first.
    func ledgerPaths() throws(StoreError) -> [Int: [String]] {
        guard FileSystem.isDirectory(ledgerDirectory) else { return [:] }
        var paths: [Int: [String]] = [:]
        do throws(FileError) {
            for name in try FileSystem.names(in: ledgerDirectory)
            where name.hasPrefix(Self.ledgerName) && name.hasSuffix(Self.ledgerEnding) {
                let middle = name.dropFirst(Self.ledgerName.count).dropLast(Self.ledgerEnding.count)
                guard let shard = Int(middle.prefix { $0 != "-" }) else { continue }
                paths[shard, default: []].append(ledgerDirectory + "/" + name)
            }
        } catch {
            throw StoreError(error)
        }
        return paths.mapValues { $0.sorted { ($0.count, $0) < ($1.count, $1) } }
    }

    /// Returns the shards that have stores, by number.
    func shards() throws -> [Shard] {
        try connection.rows("SELECT shard, count(*), total(bytes) FROM store GROUP BY shard ORDER BY shard").map {
            Shard(
                number: Int($0[0].integer ?? 0), stores: $0[1].integer ?? 0,
                bytes: Int64(clamping: Int($0[2].real.map { min($0, 9e18) } ?? 0)))
        }
    }

    /// Returns the number of stores.
    /// - Throws: `SQLiteError` if the manifest cannot be read.
    public func storeCount() throws -> Int64 {
        try connection.value("SELECT count(*) FROM store").integer ?? 0
    }

    func storeCount(of shard: Int) throws -> Int64 {
        try connection.value("SELECT count(*) FROM store WHERE shard = ?", [.integer(Int64(shard))]).integer ?? 0
    }

    /// Returns the stores of a shard, those with the highest cost first.
    func stores(of shard: Int) throws -> StoreCursor {
        let statement = try connection.prepare(
            "SELECT number, path, bytes, version, output, backup FROM store WHERE shard = ? ORDER BY cost DESC, number")
        try statement.bind(.integer(Int64(shard)), at: 1)
        return StoreCursor(statement)
    }

    /// Returns the numbers of canary stores in a shard: one of each version, and others spread evenly over versions and
    /// sizes.
    func canaries(of shard: Int, share: Double) throws -> [Int64] {
        let count = try connection.value("SELECT count(*) FROM store WHERE shard = ?", [.integer(Int64(shard))])
        let wanted = min(Double(count.integer ?? 0), (Double(count.integer ?? 0) * share).rounded(.up))
        return try connection.rows(
            """
            WITH ordered AS (
                SELECT number, row_number() OVER (PARTITION BY version ORDER BY bytes, number) AS place,
                    count(*) OVER (PARTITION BY version) AS size,
                    row_number() OVER (ORDER BY version, bytes, number) AS row, count(*) OVER () AS total
                FROM store WHERE shard = ?1)
            SELECT number FROM ordered WHERE place = (size + 1) / 2 OR row * ?2 / total <> (row - 1) * ?2 / total
            ORDER BY number
            """, [.integer(Int64(shard)), .integer(Int64(wanted))]
        ).compactMap(\.[0].integer)
    }

    /// Returns a store by its number.
    func store(_ number: Int64) throws -> FleetStore? {
        let statement = try connection.prepare(
            "SELECT number, path, bytes, version, output, backup FROM store WHERE number = ?")
        try statement.bind(.integer(number), at: 1)
        return try StoreCursor(statement).next()
    }

    /// Iterates over stores one by one.
    final class StoreCursor {
        private let statement: Statement
        private var isAtEnd = false

        init(_ statement: Statement) {
            self.statement = statement
        }

        func next() throws(SQLiteError) -> FleetStore? {
            guard !isAtEnd, try statement.step() else {
                isAtEnd = true
                return nil
            }
            return FleetStore(
                number: statement.integer(0), path: statement.string(1), bytes: statement.integer(2),
                version: statement.isNull(3) ? nil : statement.string(3),
                output: statement.isNull(4) ? nil : statement.string(4),
                backup: statement.isNull(5) ? nil : statement.string(5))
        }
    }
}
