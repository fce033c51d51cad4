import Foundation
import Glibc
import PersistentStores
@testable import StoreFleets
import TestSupport
import Testing

/// Where a file system has no locks, runs of a shard have ledgers of their own, and do no harm.
@Suite struct LockFreeLedgerTests {
    private func options(_ number: Int32 = ENOLCK) -> FleetRunner.Options {
        var options = FleetRunner.Options()
        options.locking = { _ in number }
        return options
    }

    @Test(arguments: [ENOLCK, ENOSYS, EOPNOTSUPP]) func runsHaveLedgersOfTheirOwn(number: Int32) throws {
        let fleet = try FleetFolder(count: 3)
        try fleet.plan()
        #expect(try fleet.run(options: options(number)).done == 3)
        let again = try fleet.run(options: options(number))
        #expect(again.done == 3 && again.skipped == 3)
        // One that has the lock knows of them, too.
        #expect(try fleet.run().skipped == 3)
        #expect(try FleetManifest(path: fleet.manifest).ledgerPaths()[1]?.count == 3)
        let status = try fleet.status()
        #expect(status.total == 3 && status.done == 3 && status.pending == 0)
        let report = try fleet.report()
        #expect(report.changes.map(\.stores) == [3] && report.stragglers.count == 3 && report.again.isEmpty)
    }

    @Test(arguments: [false, true]) func twoRunsAtOnceBringEachStoreToItsFinalState(withOutput: Bool) throws {
        let fleet = try FleetFolder(count: 4)
        let old = try FleetFolder.hashes(fleet.store(0))
        var plan = FleetFolder.options
        if withOutput { plan.outputDirectory = fleet.directory.file("new") }
        try fleet.plan(plan)
        // The second run begins in the middle of the first one's work, on the same stores.
        let isNested = LockedFlag()
        var outer = options()
        outer.onCheckpoint = { name in
            guard name == "worked", isNested.set() else { return }
            #expect(throws: Never.self) { _ = try fleet.run(options: options()) }
        }
        let report = try fleet.run(options: outer)
        #expect(report.done == 4 && report.failed == 0)
        let status = try fleet.status()
        #expect(status.done == 4 && status.failed == 0 && status.pending == 0)
        for number in 0..<4 {
            let path = withOutput ? fleet.directory.file("new/tenant-\(number)/Company.sqlite") : fleet.store(number)
            #expect(try FleetFolder.hashes(path) != old)
        }
    }

    @Test func anotherErrorOfALockIsOne() throws {
        let fleet = try FleetFolder(count: 1)
        try fleet.plan()
        #expect(throws: StoreError.self) { try fleet.run(options: options(EIO)) }
        #expect(throws: FleetError.self) { try fleet.run(options: options(EWOULDBLOCK)) }
        #expect(try fleet.status().pending == 1)
    }
}

/// A flag that is set once.
private final class LockedFlag: @unchecked Sendable {
    private let lock = NSLock()
    private var isSet = false

    /// Whether this call has set it.
    func set() -> Bool {
        lock.withLock {
            defer { isSet = true }
            return !isSet
        }
    }
}
