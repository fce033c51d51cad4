import Dispatch
import FoundationEssentials
import Glibc
import ManagedObjectModels
import PersistentStores
import StoreConversion
import SQLiteAccess
import StoreMigration
import Synchronization
import Threading

/// One run of a shard: its jobs take stores from the manifest and write rows to the ledger, one at a time.
final class ShardRun: Sendable {
    private struct State: ~Copyable {
        /// A manifest of its own: it is used by whichever thread holds the state.
        let manifest: FleetManifest
        let stores: FleetManifest.StoreCursor
        let ledger: ShardLedger
        var report: ShardReport
        var error: (any Error)?
    }

    private let state: Mutex<State>
    private let fleet: FleetOptions
    private let options: FleetRunner.Options

    init(_ manifest: FleetManifest, shard: Int, _ options: FleetRunner.Options) throws {
        fleet = manifest.options
        self.options = options
        let path = manifest.path
        let own = try FleetManifest(path: path)
        let state = State(
            manifest: own, stores: try own.stores(of: shard), ledger: try ShardLedger(own, shard: shard),
            report: ShardReport(shard: shard))
        self.state = Mutex(state)
    }

    /// Throws where the ledger or the manifest cannot be used any more; stores that are done stay so.
    func run() throws -> ShardReport {
        let jobs = max(1, options.jobs)
        let ended = DispatchSemaphore(value: 0)
        var started = 0
        for _ in 1..<max(jobs, 1) {
            do {
                try WorkerThread.start { [self] in
                    work(jobs)
                    ended.signal()
                }
                started += 1
            } catch {
                // Fewer threads do the same.
                break
            }
        }
        work(jobs)
        for _ in 0..<started { ended.wait() }
        return try state.withLock { state in
            if let error = state.error { throw error }
            state.report.isCancelled = options.isCancelled?() ?? false
            return state.report
        }
    }

    private func work(_ jobs: Int) {
        do {
            try LockTimeout.$milliseconds.withValue(options.lockTimeout) {
                let worker = try StoreWorker(fleet, options, jobs: jobs)
                while !(options.isCancelled?() ?? false), let (store, entry) = try next() {
                    let start = Clock.seconds
                    let result: StoreResult
                    do {
                        result = try self.result(of: store, after: entry, by: worker)
                    } catch is CancellationError {
                        return
                    }
                    options.onCheckpoint?("worked")
                    try state.withLock { state in
                        try state.ledger.write(
                            result, of: store, seconds: Clock.seconds - start, finished: Date().timeIntervalSince1970)
                        if let failure = result.failure {
                            state.report.failed += 1
                            if failure.isTemporary { state.report.temporary += 1 }
                        } else {
                            state.report.done += 1
                        }
                    }
                    options.onCheckpoint?("row")
                }
            }
        } catch {
            let failure = (error as? SQLiteError).map { StoreError($0, path: $0.path ?? "") as any Error } ?? error
            state.withLock { if $0.error == nil { $0.error = failure } }
        }
    }

    /// The next store without a final row.
    private func next() throws -> (FleetStore, ShardLedger.Entry)? {
        try state.withLock { state in
            guard state.error == nil else { return nil }
            while let store = try state.stores.next() {
                let entry = try state.ledger.entry(of: store)
                switch entry {
                case .none, .begun, .failed(isTemporary: true): return (store, entry)
                case .failed(isTemporary: false) where options.retriesFailed: return (store, entry)
                case .failed:
                    state.report.skipped += 1
                    state.report.failed += 1
                case .done:
                    state.report.skipped += 1
                    state.report.done += 1
                }
            }
            return nil
        }
    }

    /// Throws where the run is cancelled or the ledger fails.
    private func result(
        of store: FleetStore, after entry: ShardLedger.Entry, by worker: StoreWorker
    ) throws -> StoreResult {
        if let output = store.output, FileSystem.isThere(output), entry == .begun, worker.isMade(store) {
            // A run that was killed after the new store had its place, and before the row.
            return try StoreResult(
                versionBefore: version(of: store.path, worker), versionAfter: version(of: output, worker),
                bytesAfter: StoreWorker.bytes(of: output))
        }
        // Only what is not there yet can be what this fleet makes.
        if let output = store.output, !FileSystem.isThere(output) {
            try state.withLock { try $0.ledger.begin(store) }
        }
        return try worker.work(on: store)
    }

    private func version(of path: String, _ worker: StoreWorker) throws -> String? {
        worker.models.catalog.match(try PersistentStoreRegistry.standard.metadata(at: path))?.version.name
    }
}
