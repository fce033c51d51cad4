import Dispatch
import PersistentStores
import SQLiteAccess
@testable import StoreFleets
import Synchronization
import TestSupport
import Testing

/// Jobs go on while rows get to the ledger; a store counts as done when its row is there.
@Suite struct LedgerRowTests {
    /// What a run with two jobs comes to.
    private final class Events: Sendable {
        struct Counts {
            var worked = 0
            var written = 0
            var transactions = 0
            var mostUnwritten = 0
        }

        let counts = Mutex(Counts())
        /// Signalled when so many stores were worked on.
        let isBusy = DispatchSemaphore(value: 0)
        let busyCount: Int

        init(busyCount: Int) {
            self.busyCount = busyCount
        }

        func note(_ name: String) {
            let isNowBusy = counts.withLock { counts in
                switch name {
                case "worked":
                    counts.worked += 1
                    counts.mostUnwritten = max(counts.mostUnwritten, counts.worked - counts.written)
                case "rows": counts.transactions += 1
                case "row": counts.written += 1
                default: break
                }
                return name == "worked" && counts.worked == busyCount
            }
            if isNowBusy { isBusy.signal() }
        }
    }

    @Test(.long, arguments: [LedgerJournal.log, .rollback])
    func otherStoresAreWorkedOnWhileARowIsWritten(journal: LedgerJournal) throws {
        let fleet = try FleetFolder(count: 12)
        try fleet.plan()
        // Four rows may wait, and each job has one more.
        let events = Events(busyCount: 6)
        var options = FleetRunner.Options()
        options.jobs = 2
        options.journal = { _ in journal }
        options.onCheckpoint = { name in
            events.note(name)
            guard name == "rows", events.counts.withLock({ $0.transactions }) == 1 else { return }
            #expect(events.isBusy.wait(timeout: .now() + 60) == .success)
            #expect(throws: Never.self) {
                let done = try fleet.status().done
                #expect(done == 0)
            }
        }
        #expect(try fleet.run(options: options).done == 12)
        let counts = events.counts.withLock { $0 }
        #expect(counts.worked == 12 && counts.written == 12 && counts.mostUnwritten == 6)
        // What waited for the first one got to the device together.
        #expect(counts.transactions <= 10)
        #expect(try fleet.status().done == 12)
    }

    @Test(.long) func whatGetsNoRowIsLookedAtAgain() throws {
        let fleet = try FleetFolder(count: 6)
        let old = try FleetFolder.hashes(fleet.store(0))
        try fleet.plan()
        var options = FleetRunner.Options()
        options.isCancelled = { true }
        try fleet.run(options: options)
        let ledger = try FleetManifest(path: fleet.manifest).ledgerPath(of: 1)
        func execute(_ statement: String) throws {
            let connection = try Connection(path: ledger, access: .readWrite)
            try connection.execute(statement)
            try connection.close()
        }
        try execute(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON outcome WHEN NEW.store = 3
            BEGIN SELECT RAISE(ABORT, 'no room'); END
            """)
        let events = Events(busyCount: 0)
        options = FleetRunner.Options()
        options.jobs = 2
        options.onCheckpoint = { events.note($0) }
        #expect(throws: StoreError.self) { try fleet.run(options: options) }
        let written = events.counts.withLock { $0.written }
        #expect(written < 6)
        #expect(try fleet.status().done == Int64(written))
        try execute("DROP TRIGGER refuse")
        let report = try fleet.run(options: options)
        #expect(report.done == 6 && report.skipped == Int64(written))
        #expect(try fleet.status().done == 6)
        for number in 0..<6 { #expect(try FleetFolder.hashes(fleet.store(number)) != old) }
    }
}
