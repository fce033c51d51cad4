import PersistentStores
import SQLiteAccess
@testable import StoreFleets
import Synchronization
import TestSupport
import Testing

/// Rows of a ledger get to the device by a log, or by a journal that is rolled back.
@Suite struct LedgerJournalTests {
    @Test(arguments: [LedgerJournal.log, .rollback], [1, 2])
    func rowsCanBeReadWhileTheShardRuns(journal: LedgerJournal, jobs: Int) throws {
        let fleet = try FleetFolder(count: 3)
        try fleet.plan()
        var options = FleetRunner.Options()
        options.journal = { _ in journal }
        options.jobs = jobs
        let seen = Counts()
        options.onCheckpoint = { name in
            guard name == "row" else { return }
            #expect(throws: Never.self) {
                let done = try fleet.status().done
                seen.list.withLock { $0.append(done) }
            }
        }
        #expect(try fleet.run(options: options).done == 3)
        #expect(seen.list.withLock { $0.max() } == 3)
        if jobs == 1 { #expect(seen.list.withLock { $0 } == [1, 2, 3]) }
        // Nothing beside the ledger is left, but for an empty journal that the next row needs.
        let folder = fleet.manifest + ".ledger"
        let files = try FileSystem.names(in: folder).filter { FileSystem.size(folder + "/" + $0) != 0 }
        #expect(files == ["shard-000001.sqlite"])
    }

    @Test func aLedgerGoesOnInTheOtherWay() throws {
        let fleet = try FleetFolder(count: 4)
        try fleet.plan()
        for (number, journal) in [LedgerJournal.log, .rollback, .log, .rollback].enumerated() {
            var options = FleetRunner.Options()
            options.journal = { _ in journal }
            let rows = Counts()
            options.onCheckpoint = { name in if name == "row" { rows.list.withLock { $0.append(1) } } }
            options.isCancelled = { rows.list.withLock { !$0.isEmpty } }
            try fleet.run(options: options)
            #expect(try fleet.status().done == Int64(number + 1))
        }
    }

    /// As a run leaves one that is killed while it makes the tables.
    @Test(arguments: [1, 2]) func aLedgerWithoutTablesIsOneThatWasNotBegun(ledgers: Int) throws {
        let fleet = try FleetFolder(count: 1)
        try fleet.plan()
        let manifest = try FleetManifest(path: fleet.manifest)
        try FileSystem.createDirectory(manifest.ledgerDirectory)
        for number in 0..<ledgers {
            let path = number == 0 ? manifest.ledgerPath(of: 1) : manifest.newLedgerPath(of: 1)
            let connection = try Connection(path: path, access: .create)
            _ = try connection.value("PRAGMA journal_mode = WAL")
            try connection.close()
            #expect(FileSystem.size(path) ?? 0 > 0)
        }
        #expect(try fleet.status().pending == 1)
        #expect(try fleet.run().done == 1)
        #expect(try fleet.status().done == 1)
    }

    @Test func aFileOfThisMachineHasALog() throws {
        let directory = try TemporaryDirectory()
        #expect(LedgerJournal.fitting(try directory.write("", to: "ledger")) == .log)
        #expect(LedgerJournal.fitting(directory.file("none")) == .rollback)
    }
}

/// Numbers that threads note.
private final class Counts: Sendable {
    let list = Mutex<[Int64]>([])
}
