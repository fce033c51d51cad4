import Dispatch
import FoundationEssentials
import Glibc
import PersistentStores
import SQLiteAccess
import Synchronization
import Threading

/// One run of a shard: its jobs take stores from the manifest, and submit rows to the ledger.
final class ShardRun: Sendable {
    private struct State: ~Copyable {
        /// A separate connection to the manifest, used by the thread that holds the state.
        let manifest: FleetManifest

        /// The remaining canary stores, the last one first; nil if all have finished.
        var canaries: [Int64]?

        /// The stores of the shard in order, including the canary stores.
        let stores: FleetManifest.StoreCursor

        /// The next stores, with their entries in the ledger when they were read, which do not change before a store is
        /// taken.
        var upcoming: [(store: FleetStore, entry: ShardLedger.Entry)] = []

        /// The canary stores that this run has finished.
        var tried: Set<Int64> = []
        var report: ShardReport
        var error: (any Error)?
    }

    private let state: Mutex<State>
    private let rows: LedgerRows
    private let fleet: FleetOptions
    private let options: FleetRunner.Options
    private let canaries: [Int64]
    private let shard: Int
    private let storeCount: Int64
    private let staging: StoreStaging

    /// The number of stores that are looked up in the ledger together, so that a job that takes one does not wait for a
    /// row.
    private static let lookedUpStores = 256

    init(_ manifest: FleetManifest, shard: Int, isLocked: Bool, _ options: FleetRunner.Options) throws {
        fleet = manifest.options
        self.options = options
        self.shard = shard
        staging = StoreStaging(fetch: options.fetch, store: options.store, folder: options.stagingFolder)
        let own = try FleetManifest(path: manifest.path)
        storeCount = try own.storeCount(of: shard)
        canaries = try options.canary.map { try own.canaries(of: shard, share: $0.share) } ?? []
        // Jobs that run in parallel need not wait for each other's rows.
        rows = LedgerRows(
            try ShardLedger(
                FleetManifest(path: manifest.path), shard: shard, isLocked: isLocked, journal: options.journal),
            mostWaiting: options.jobs > 1 ? 2 * options.jobs : 0, onCheckpoint: options.onCheckpoint)
        let state = State(
            manifest: own, canaries: canaries.isEmpty ? nil : canaries.reversed(), stores: try own.stores(of: shard),
            report: ShardReport(shard: shard))
        self.state = Mutex(state)
    }

    /// Throws if the ledger or the manifest can no longer be used, or if too many canary stores have failed; finished
    /// stores keep their results.
    func run() throws -> ShardReport {
        if !canaries.isEmpty {
            try workInJobs()
            try judgeCanaries()
        }
        try workInJobs()
        return state.withLock { state in
            state.report.isCancelled = options.isCancelled?() ?? false
            return state.report
        }
    }

    private func workInJobs() throws {
        let jobs = max(1, options.jobs)
        let ended = DispatchSemaphore(value: 0)
        var started = 0
        rows.start()
        for _ in 1..<jobs {
            do {
                // The thread releases the run before it signals, so that the ledger is closed when the caller gets the
                // report.
                try WorkerThread.start { [weak self] in
                    self?.work(jobs)
                    ended.signal()
                }
                started += 1
            } catch {
                // Fewer threads can do the same work.
                break
            }
        }
        work(jobs)
        for _ in 0..<started { ended.wait() }
        // Whatever ended the jobs, finished stores get their rows.
        do { try rows.finish() } catch { note(error) }
        try state.withLock { state in
            if let error = state.error { throw error }
        }
    }

    private func judgeCanaries() throws {
        guard let canary = options.canary, !(options.isCancelled?() ?? false) else { return }
        let failures = try rows.failures(of: canaries)
        guard canary.isExceeded(by: failures.all, of: canaries.count) else {
            return state.withLock { $0.canaries = nil }
        }
        throw FleetError.canariesFailed(
            shard: shard, failed: failures.all, of: canaries.count,
            isTemporary: !canary.isExceeded(by: failures.all - failures.temporary, of: canaries.count))
    }

    private func work(_ jobs: Int) {
        do {
            try LockTimeout.$milliseconds.withValue(options.lockTimeout) {
                let worker = try StoreWorker(fleet, options, jobs: jobs)
                while !(options.isCancelled?() ?? false), let (store, entry) = try next() {
                    let start = Clock.seconds
                    let result: StoreResult
                    do {
                        result = try staging.withStore(store, isCancelled: options.isCancelled) {
                            try self.result(of: $0, after: entry, by: worker)
                        }
                    } catch is CancellationError {
                        return
                    }
                    options.onCheckpoint?("worked")
                    try write(result, of: store, seconds: Clock.seconds - start)
                }
            }
        } catch {
            note(error)
        }
    }

    private func note(_ error: any Error) {
        let failure = (error as? SQLiteError).map { StoreError($0, path: $0.path ?? "") as any Error } ?? error
        state.withLock { if $0.error == nil { $0.error = failure } }
    }

    /// Submits a row, and counts the store when the row is on the device.
    private func write(_ result: StoreResult, of store: FleetStore, seconds: Double) throws {
        let row = LedgerRow(result: result, store: store, seconds: seconds, finished: Date().timeIntervalSince1970)
        try rows.write(row) { [self] in
            let ended = state.withLock { state in
                if state.canaries != nil { state.tried.insert(store.number) }
                if let failure = result.failure {
                    state.report.failed += 1
                    if failure.isTemporary { state.report.temporary += 1 }
                } else {
                    state.report.done += 1
                }
                return state.report.done + state.report.failed
            }
            options.onProgress?(ended, storeCount)
            options.onCheckpoint?("row")
        }
    }

    /// Returns the next store without a final row.
    private func next() throws -> (FleetStore, ShardLedger.Entry)? {
        try state.withLock { state in
            guard state.error == nil else { return nil }
            while let number = state.canaries?.popLast() {
                guard let store = try state.manifest.store(number) else { continue }
                let entry = try rows.entry(of: store)
                // Finished stores are counted with the others.
                if isOpen(entry) { return (store, entry) }
            }
            guard state.canaries == nil else { return nil }
            while let (store, entry) = try nextWithEntry(&state) {
                if state.tried.contains(store.number) { continue }
                if isOpen(entry) { return (store, entry) }
                state.report.skipped += 1
                if entry == .done { state.report.done += 1 } else { state.report.failed += 1 }
            }
            return nil
        }
    }

    /// Returns the next store of the shard, regardless of its entry in the ledger.
    private func nextWithEntry(_ state: inout State) throws -> (FleetStore, ShardLedger.Entry)? {
        if state.upcoming.isEmpty {
            var stores: [FleetStore] = []
            while stores.count < Self.lookedUpStores, let store = try state.stores.next() { stores.append(store) }
            stores.reverse()
            let entries = try rows.entries(of: stores)
            for (store, entry) in zip(stores, entries) { state.upcoming.append((store, entry)) }
        }
        return state.upcoming.popLast()
    }

    /// Returns whether a store has to be processed.
    private func isOpen(_ entry: ShardLedger.Entry) -> Bool {
        switch entry {
        case .none, .begun, .failed(isTemporary: true): true
        case .failed(isTemporary: false): options.retriesFailed
        case .done: false
        }
    }

    /// Throws if the run is cancelled or the ledger fails.
    private func result(
        of store: FleetStore, after entry: ShardLedger.Entry, by worker: StoreWorker
    ) throws -> StoreResult {
        guard let output = store.output else { return try worker.work(on: store) }
        if FileSystem.isThere(output) {
            // A run was killed after the output was in place, but before the row was written; or a run is in progress.
            let isBegun =
                try entry == .begun
                || rows.isBegun(store, in: state.withLock { try $0.manifest.ledgerPaths()[shard, default: []] })
            if isBegun, let result = worker.resultOfEarlierRun(store) { return result }
            return try worker.work(on: store)
        }
        // Only an output that does not exist yet can later be from this fleet.
        try rows.begin(store)
        let result = try worker.work(on: store)
        // Without locks, another run of the shard may have been faster.
        if result.failure?.reason == StoreFailure.taken { return worker.resultOfEarlierRun(store) ?? result }
        return result
    }
}
