import Foundation
import KeyedArchives
import PersistentStores
import SQLiteAccess
import StoreFleets
import TestSupport
import Testing

/// Stores of a fleet get to their final state, each once.
@Suite struct FleetRunnerTests {
    @Test(.long, arguments: [1, 3]) func everyStoreIsMigratedOnce(jobs: Int) throws {
        let fleet = try FleetFolder(count: 7)
        let old = try FleetFolder.hashes(fleet.store(0))
        let summary = try fleet.plan(shards: 3)
        #expect(summary.stores == 7 && summary.problems.isEmpty && summary.versions.values.reduce(0, +) == 7)
        var options = FleetRunner.Options()
        options.jobs = jobs
        #expect(try fleet.status().pending == 7)
        for shard in 1...3 { try fleet.run(shard: shard, of: 3, options: options) }
        #expect(try fleet.status() == status(total: 7, done: 7))
        let new = try FleetFolder.hashes(fleet.store(0))
        #expect(new != old)
        for number in 0..<7 { #expect(try FleetFolder.hashes(fleet.store(number)) == new) }
        let again = try fleet.run(shard: 1, of: 3, options: options)
        #expect(again.skipped == again.done && again.done > 0)
        let report = try fleet.report()
        #expect(report.changes.map(\.stores) == [7] && report.again.isEmpty && report.stragglers.count == 7)
        #expect(report.sizes.map(\.stores).reduce(0, +) == 7 && report.throughput.map(\.stores).reduce(0, +) == 7)
    }

    @Test func aBadStoreIsARowAndStopsNothing() throws {
        let fleet = try FleetFolder(count: 6)
        try Data("not a store".utf8).write(to: URL(fileURLWithPath: fleet.store(0)))
        let whole = try Data(contentsOf: URL(fileURLWithPath: fleet.store(1)))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: fleet.store(1)))
        let connection = try Connection(path: fleet.store(2), access: .readWrite)
        try StoreMetadata.update(storeAt: fleet.store(3)) { $0.entries["NSStoreModelVersionHashes"] = nil }
        let summary = try fleet.plan()
        #expect(summary.problems == ["not-a-store": 1, "damaged": 1, "unknown-version": 1])
        try FileManager.default.removeItem(atPath: fleet.store(4))
        try connection.execute("BEGIN EXCLUSIVE")
        var options = FleetRunner.Options()
        options.lockTimeout = 1
        let first = try fleet.run(options: options)
        #expect(first.done == 1 && first.failed == 5 && first.temporary == 1 && first.isWorthRetrying)
        let reasons =
            ["not-a-store": 1, "damaged": 1, "unknown-version": 1, "missing": 1, "locked": 1] as [String: Int64]
        #expect(try fleet.status() == status(total: 6, done: 1, failed: 5, reasons))
        #expect(try fleet.report().again.map(\.temporary) == [1])
        try connection.execute("ROLLBACK")
        try connection.close()
        let second = try fleet.run(options: options)
        #expect(second.done == 2 && second.skipped == 5 && !second.isWorthRetrying)
        #expect(try fleet.status().byReason["locked"] == nil)
        let report = try fleet.report()
        #expect(report.reasons.allSatisfy { $0.examples.count == 1 && !$0.message.isEmpty })
        // What a fleet that is migrated does not take is not offered.
        #expect(report.reasons.allSatisfy { !$0.message.contains("--version") })
        #expect(report.description.contains("unknown-version") && report.description.contains(fleet.store(0)))
    }

    @Test func twoRunsOfAShardAreKeptApart() throws {
        let fleet = try FleetFolder(count: 2)
        try fleet.plan()
        var options = FleetRunner.Options()
        options.onCheckpoint = { name in
            guard name == "worked" else { return }
            #expect(throws: FleetError.self) { try fleet.run() }
        }
        #expect(try fleet.run(options: options).done == 2)
    }

    @Test func aRunThatIsCancelledLeavesNoRow() throws {
        let fleet = try FleetFolder(count: 2)
        try fleet.plan()
        var options = FleetRunner.Options()
        options.isCancelled = { true }
        let report = try fleet.run(options: options)
        #expect(report.isCancelled && report.isWorthRetrying && report.done == 0)
        #expect(try fleet.status().pending == 2)
    }

    @Test func newStoresAndBackupsHaveThePathsOfTheStores() throws {
        let fleet = try FleetFolder(count: 2)
        let old = try FleetFolder.hashes(fleet.store(0))
        var options = FleetFolder.options
        options.outputDirectory = fleet.directory.file("new")
        try fleet.plan(options)
        #expect(try fleet.run().done == 2)
        #expect(try FleetFolder.hashes(fleet.store(0)) == old)
        for number in 0..<2 {
            #expect(try FleetFolder.hashes(fleet.directory.file("new/tenant-\(number)/Company.sqlite")) != old)
        }
        let second = try FleetFolder(count: 2)
        options = FleetFolder.options
        options.backup = second.directory.file("old")
        try second.plan(options)
        #expect(try second.run().done == 2)
        for number in 0..<2 {
            let kept = second.directory.file("old/tenant-\(number)/Company.sqlite/Company.sqlite")
            #expect(try FleetFolder.hashes(kept) == old)
        }
    }

    @Test func whatLiesWhereANewStoreGoesStays() throws {
        let fleet = try FleetFolder(count: 1)
        var options = FleetFolder.options
        options.outputDirectory = fleet.directory.file("new")
        try fleet.plan(options)
        let there = fleet.directory.file("new/tenant-0/Company.sqlite")
        try FileManager.default.createDirectory(
            atPath: FileSystem.directory(of: there), withIntermediateDirectories: true)
        try Data("kept".utf8).write(to: URL(fileURLWithPath: there))
        #expect(try fleet.run().failed == 1)
        #expect(try String(contentsOfFile: there, encoding: .utf8) == "kept")
        #expect(try fleet.status().byReason == ["destination-taken": 1])
    }

    @Test func aVerificationFindsWhatIsWrong() throws {
        let fleet = try FleetFolder(count: 2)
        let connection = try Connection(path: fleet.store(1), access: .readWrite)
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
        try connection.close()
        var options = FleetFolder.options
        options.operation = .verify
        try fleet.plan(options)
        let report = try fleet.run()
        #expect(report.done == 1 && report.failed == 1)
    }

    private func status(
        total: Int64, done: Int64, failed: Int64 = 0, _ reasons: [String: Int64] = [:]
    ) -> FleetStatus {
        var status = FleetStatus()
        (status.total, status.done, status.failed) = (total, done, failed)
        status.pending = total - done - failed
        status.byReason = reasons
        return status
    }
}
