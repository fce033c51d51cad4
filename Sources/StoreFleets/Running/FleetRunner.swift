public import PersistentStores
import FoundationEssentials
import Glibc
import SQLiteAccess
import Synchronization
import Threading

/// Runs shards: processes each store without a final row in the ledger, and writes its row.
///
/// A run can be killed at any moment, and repeated.
public struct FleetRunner: Sendable {
    /// Options of a run.
    public struct Options: Sendable {
        /// The number of stores that are processed at the same time, each on its own thread.
        public var jobs = 1

        /// The batch limits for all jobs together; each job gets its share.
        public var limits = BatchLimits()

        /// How long to wait for another process's lock on a store, in milliseconds.
        public var lockTimeout = LockTimeout.milliseconds

        /// Whether stores that failed permanently are tried again, too.
        public var retriesFailed = false

        /// The command that fetches a store to this machine; nil to process the stores where they are.
        public var fetch: StagingCommand?

        /// The command that takes a changed store back; nil for none.
        public var store: StagingCommand?

        /// The folder for fetched stores; nil for that for temporary files.
        public var stagingFolder: String?

        /// The trial with some stores first; nil for none.
        public var canary: Canary?

        /// How the lock of a shard is acquired; tests simulate file systems without locks.
        var locking = ShardLock.system

        /// How rows are written to the device; tests use both ways on any file system.
        var journal = LedgerJournal.fitting

        /// Called between batches; if it returns true, the run ends, and unfinished stores get no row.
        public var isCancelled: (@Sendable () -> Bool)?

        /// Called after each store with the number of finished stores in the shard, and the number of all. A continued
        /// run includes the stores of earlier runs when it reaches them.
        public var onProgress: (@Sendable (_ done: Int64, _ total: Int64) -> Void)?

        /// Called at every point at which a crash would leave another state on disk; for tests that kill the process.
        public var onCheckpoint: (@Sendable (String) -> Void)?

        /// Makes the default options: one store at a time, where it is.
        public init() {}

        func limits(sharedBy jobs: Int) -> BatchLimits {
            BatchLimits(rows: limits.rows, bytes: max(1, limits.bytes / max(1, jobs)))
        }
    }

    private let options: Options

    /// Makes a runner of shards.
    public init(options: Options = Options()) {
        self.options = options
    }

    /// Runs a shard.
    ///
    /// - Parameters:
    ///   - manifest: the manifest with the shard.
    ///   - shard: the shard's number, from 1.
    ///   - count: the number of shards that the caller expects.
    /// - Throws: `FleetError` and `StoreError` if the shard cannot be run; errors of stores are in the ledger.
    public func run(_ manifest: FleetManifest, shard: Int, of count: Int) throws -> ShardReport {
        let start = Clock.seconds
        guard count == manifest.shardCount, (1...count).contains(shard) else {
            throw FleetError.noSuchShard(shard, of: count, planned: manifest.shardCount)
        }
        do throws(FileError) {
            try FileSystem.createDirectory(manifest.ledgerDirectory)
        } catch {
            throw StoreError(error)
        }
        if options.fetch == nil, manifest.options.isRemote { throw FleetError.fetchMissing(manifest.path) }
        if options.fetch != nil, options.store == nil, manifest.options.changesStores {
            throw FleetError.storeMissing(manifest.options.operation)
        }
        let ledgerPath = manifest.ledgerPath(of: shard)
        let lock = try ShardLock(shard: shard, path: ledgerPath + ".lock", by: options.locking)
        defer { withExtendedLifetime(lock) {} }
        let models = try FleetModels(manifest.options)
        guard models.checksum == manifest.checksum else { throw FleetError.modelsChanged(manifest.path) }
        let run = try ShardRun(manifest, shard: shard, isLocked: lock.isHeld, options)
        var report = try run.run()
        report.seconds = Clock.seconds - start
        return report
    }
}
