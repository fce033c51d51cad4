import SQLiteAccess

/// Removes old transactions from the persistent history of a store, in one transaction of SQLite.
///
/// Readers with older tokens have to start again: Core Data reports this to them as error 134301.
public struct HistoryPruning {
    /// Which transactions are removed.
    public enum Extent: Sendable {
        /// The transactions before the first one that was made at this time or later, in seconds since 2001.
        ///
        /// The remaining transactions have no gap, even if a clock was set back: a token shows whether all later
        /// transactions still exist.
        case before(Double)

        /// The transactions up to the token's, which its reader has read.
        case through(HistoryToken)

        /// All but the newest transactions, given by their number.
        case keeping(Int64)
    }

    /// Options of a pruning.
    public struct Options {
        /// Whether the transaction is rolled back at the end.
        public var isDryRun = false

        /// Whether history is pruned even if the store is mirrored with CloudKit: changes that have not been exported
        /// yet would be lost.
        public var prunesMirrored = false

        /// The folder for a copy of the old files; nil for no copy.
        public var backup: String?

        /// How long to wait for another process's lock, in milliseconds.
        public var timeout: Int32 = LockTimeout.milliseconds

        /// Called from time to time; if it returns true, the operation ends and the store is unchanged.
        public var isCancelled: (@Sendable () -> Bool)?

        /// Called after each step that changes the files on disk.
        public var onCheckpoint: ((String) -> Void)?

        /// Makes the default options: the store is changed, without a backup.
        public init() {}
    }

    private let path: String
    private let options: Options

    /// Prepares the pruning of a store's history.
    public init(path: String, options: Options = Options()) {
        self.path = path
        self.options = options
    }

    /// Removes the transactions.
    /// - Throws: `StoreError`; the store is then unchanged.
    public func run(_ extent: Extent) throws -> Report {
        let files = StoreFiles(followingLinks: path)
        let isKept = options.backup != nil && !options.isDryRun
        if isKept { _ = try JournalRecovery.rollBack(files, timeout: options.timeout) }
        let fingerprint = isKept ? StoreFingerprint(of: files) : nil
        let backup = isKept ? try makeBackup(of: files) : nil
        do {
            let report = try prune(extent, fingerprint)
            backup?.keep()
            return report
        } catch {
            backup?.settle()
            throw (error as? SQLiteError).map { StoreError($0, path: path) } ?? error
        }
    }

    private func makeBackup(of files: StoreFiles) throws -> StoreBackup? {
        guard let folder = options.backup else { return nil }
        let backup = try StoreBackup(of: files, in: folder, isCancelled: options.isCancelled)
        try backup.make(isCancelled: options.isCancelled, onStep: options.onCheckpoint)
        return backup
    }

    private func prune(_ extent: Extent, _ fingerprint: StoreFingerprint?) throws -> Report {
        let store = try SQLiteStore(path: path, access: .readWrite, timeout: options.timeout)
        let connection = store.connection
        guard !connection.isReadOnly else { throw StoreError(.readOnly, path: path) }
        connection.setLenientSchema(true)
        connection.onProgress(everyInstructions: 100_000, options.isCancelled)
        try connection.execute("BEGIN IMMEDIATE")
        do {
            // If another process writes between the backup and the lock, the backup is outdated.
            if let fingerprint, fingerprint != StoreFingerprint(of: store.files) {
                throw StoreError(.changed, path: path)
            }
            let report = try remove(extent, store)
            options.onCheckpoint?("pruned")
            try connection.execute(options.isDryRun ? "ROLLBACK" : "COMMIT")
            options.onCheckpoint?("ended")
            return report
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    private func remove(_ extent: Extent, _ store: SQLiteStore) throws -> Report {
        let history = try PersistentHistory(store)
        if !options.prunesMirrored, store.schema.tables.contains(where: \.isCloudKitMirror) {
            throw StoreError(.historyMirrored, path: path)
        }
        let (condition, value) = try Self.condition(extent, history)
        let connection = store.connection
        func count(_ table: String) throws -> Int64 {
            try connection.value("SELECT count(*) FROM \(table)").integer ?? 0
        }
        let before = (transactions: try count("ATRANSACTION"), changes: try count("ACHANGE"))
        try connection.execute(
            "DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (SELECT Z_PK FROM ATRANSACTION WHERE \(condition))", [value])
        try connection.execute("DELETE FROM ATRANSACTION WHERE \(condition)", [value])
        let kept = (transactions: try count("ATRANSACTION"), changes: try count("ACHANGE"))
        return Report(
            store: path, isDryRun: options.isDryRun, removedTransactions: before.transactions - kept.transactions,
            removedChanges: before.changes - kept.changes, keptTransactions: kept.transactions,
            keptChanges: kept.changes)
    }

    private static func condition(
        _ extent: Extent, _ history: PersistentHistory
    ) throws -> (sql: String, value: SQLiteValue) {
        switch extent {
        case .before(let date):
            let first = "SELECT min(Z_PK) FROM ATRANSACTION WHERE ZTIMESTAMP >= ?1 OR ZTIMESTAMP IS NULL"
            return ("Z_PK < ifnull((\(first)), \(Int64.max))", .real(date))
        case .through(let token):
            try history.checkOrigin(of: token)
            return ("Z_PK <= ?1", .integer(token.transaction))
        case .keeping(let count):
            return ("Z_PK <= (SELECT Z_PK FROM ATRANSACTION ORDER BY Z_PK DESC LIMIT 1 OFFSET ?1)", .integer(count))
        }
    }
}
