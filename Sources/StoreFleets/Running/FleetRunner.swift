public import PersistentStores
import FoundationEssentials
import Glibc
import SQLiteAccess
import Synchronization
import Threading

/// Runs shards: each store that has no final row in the ledger is worked on, and gets one.
///
/// A run can be killed and repeated at any moment.
public struct FleetRunner: Sendable {
    /// How shards are run.
    public struct Options: Sendable {
        /// How many stores are worked on at a time, each on a thread of its own.
        public var jobs = 1

        /// The batches of all jobs together; each gets its share.
        public var limits = BatchLimits()

        /// How long to wait for another process' lock on a store, in milliseconds.
        public var lockTimeout = LockTimeout.milliseconds

        /// Whether stores that failed for good are tried again, too.
        public var retriesFailed = false

        /// What brings a store to this machine; nil to work on the stores where they are.
        public var fetch: StagingCommand?

        /// What takes a store back that has changed; nil to take none back.
        public var store: StagingCommand?

        /// The folder for stores that were brought; nil for the one for temporary files.
        public var stagingFolder: String?

        /// The stores that are tried first; nil to take them as they come.
        public var canary: Canary?

        /// How the lock of a shard is taken; tests have file systems without.
        var locking = ShardLock.system

        /// How rows get to the device; tests have both ways on any file system.
        var journal = LedgerJournal.fitting

        /// Asked between batches; true ends the run, and stores that are not done keep no row.
        public var isCancelled: (@Sendable () -> Bool)?

        /// Called after each store with the number of those of the shard that are at an end, and how many it has. A run
        /// that is continued begins with those that earlier ones have done, as it comes to them.
        public var onProgress: (@Sendable (_ done: Int64, _ total: Int64) -> Void)?

        /// Called at every point where a crash would leave something different on disk; for tests that kill the
        /// process.
        public var onCheckpoint: (@Sendable (String) -> Void)?

        /// Makes options: one store at a time, where it is.
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
    ///   - manifest: the manifest that has the shard.
    ///   - shard: from 1 to the number of shards.
    ///   - count: the number of shards that the caller believes in.
    /// - Throws: `FleetError` and `StoreError` where the shard cannot be run; what is wrong with stores is in the
    ///   ledger.
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
