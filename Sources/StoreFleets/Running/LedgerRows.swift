import Dispatch
import PersistentStores
import SQLiteAccess
import Synchronization
import Threading

/// Writes the results of a run's jobs into its ledger.
///
/// With several jobs, a separate thread writes them: the jobs continue meanwhile, and waiting rows are synchronized
/// together. A store counts as done when its row has been written.
final class LedgerRows: Sendable {
    private enum Change: Sendable {
        case beginning(FleetStore, noted: DispatchSemaphore)
        case end(LedgerRow, written: @Sendable () -> Void)
    }

    private struct Queue {
        var changes: [Change] = []
        var hasThread = false
        var isEnding = false
        /// The first error, after which no more changes are accepted.
        var error: (any Error)?
    }

    private let ledger: Mutex<ShardLedger>
    private let queue = Mutex(Queue())
    private let mostWaiting: Int
    private let onCheckpoint: (@Sendable (String) -> Void)?
    /// The semaphores begin at 0, because a semaphore must not be deallocated with a lower value than its initial one.
    private let room = DispatchSemaphore(value: 0)
    private let changed = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter mostWaiting: the maximum number of rows that wait to be written, which a killed run has to check
    ///   again; 0 to write each row while its job waits.
    init(_ ledger: sending ShardLedger, mostWaiting: Int, onCheckpoint: (@Sendable (String) -> Void)?) {
        self.ledger = Mutex(ledger)
        self.mostWaiting = mostWaiting
        self.onCheckpoint = onCheckpoint
        for _ in 0..<mostWaiting { room.signal() }
    }

    // MARK: What the ledger has

    func entry(of store: FleetStore) throws -> ShardLedger.Entry { try ledger.withLock { try $0.entry(of: store) } }

    func entries(of stores: [FleetStore]) throws -> [ShardLedger.Entry] {
        try ledger.withLock { ledger in
            var entries: [ShardLedger.Entry] = []
            for store in stores { entries.append(try ledger.entry(of: store)) }
            return entries
        }
    }

    func failures(of stores: [Int64]) throws -> (all: Int, temporary: Int) {
        try ledger.withLock { try $0.failures(of: stores) }
    }

    func isBegun(_ store: FleetStore, in ledgers: [String]) -> Bool {
        ledger.withLock { $0.isBegun(store, in: ledgers) }
    }

    // MARK: Changes

    /// Begins to accept changes, until `finish()`.
    func start() {
        guard mostWaiting > 0 else { return }
        // The thread releases the ledger before it signals.
        let isStarted =
            (try? WorkerThread.start { [weak self, ended] in
                self?.writeChanges()
                ended.signal()
            }) != nil
        queue.withLock { $0.hasThread = isStarted }
    }

    /// Records durably that the processing of a store begins.
    func begin(_ store: FleetStore) throws {
        guard queue.withLock({ $0.hasThread }) else { return try ledger.withLock { try $0.begin(store) } }
        let noted = DispatchSemaphore(value: 0)
        try put(.beginning(store, noted: noted))
        noted.wait()
        try check()
    }

    /// Submits the row of a store.
    ///
    /// - Parameter written: called on any thread when the row is on the device.
    func write(_ row: LedgerRow, _ written: @escaping @Sendable () -> Void) throws {
        guard queue.withLock({ $0.hasThread }) else {
            try ledger.withLock { try $0.write(row) }
            return written()
        }
        room.wait()
        do {
            try put(.end(row, written: written))
        } catch {
            room.signal()
            throw error
        }
    }

    /// Waits until all rows are on the device.
    func finish() throws {
        let hasThread = queue.withLock { queue in
            queue.isEnding = true
            return queue.hasThread
        }
        if hasThread {
            changed.signal()
            ended.wait()
        }
        queue.withLock { ($0.hasThread, $0.isEnding) = (false, false) }
        try check()
    }

    private func check() throws {
        if let error = queue.withLock({ $0.error }) { throw error }
    }

    private func put(_ change: Change) throws {
        try queue.withLock { queue in
            if let error = queue.error { throw error }
            queue.changes.append(change)
        }
        changed.signal()
    }

    /// Writes the changes, on the thread.
    private func writeChanges() {
        while true {
            changed.wait()
            let (changes, isEnding) = queue.withLock { queue in
                defer { queue.changes = [] }
                return (queue.changes, queue.isEnding)
            }
            // The changes of an earlier signal were written together with others.
            if changes.isEmpty {
                if isEnding { return }
                continue
            }
            do {
                try write(changes)
                for case .end(_, let written) in changes { written() }
            } catch {
                queue.withLock { $0.error = $0.error ?? error }
            }
            for change in changes {
                switch change {
                case .beginning(_, let noted): noted.signal()
                case .end: room.signal()
                }
            }
        }
    }

    private func write(_ changes: [Change]) throws {
        try ledger.withLock { ledger in
            try ledger.transaction {
                for change in changes {
                    switch change {
                    case .beginning(let store, _): try ledger.begin(store)
                    case .end(let row, _): try ledger.write(row)
                    }
                }
                onCheckpoint?("rows")
            }
        }
    }
}
