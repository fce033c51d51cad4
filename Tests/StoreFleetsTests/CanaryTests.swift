import Foundation
import PersistentStores
import SQLiteAccess
@testable import StoreFleets
import TestSupport
import Testing

/// A few stores are tried first, and stop the rest.
@Suite struct CanaryTests {
    private func canary(_ share: Double, _ tolerance: Double = 0) -> FleetRunner.Options {
        var options = FleetRunner.Options()
        options.canary = Canary(share: share, tolerance: tolerance)
        options.lockTimeout = 1
        return options
    }

    private func breakStore(_ path: String) throws {
        try Data("not a store".utf8).write(to: URL(fileURLWithPath: path))
    }

    @Test(arguments: [1, 2]) func canariesThatAreDoneLetTheRestGo(jobs: Int) throws {
        let fleet = try FleetFolder(count: 6)
        try fleet.plan()
        var options = canary(0.4)
        options.jobs = jobs
        let report = try fleet.run(options: options)
        #expect(report.done == 6 && report.skipped == 0 && report.failed == 0)
        let again = try fleet.run(options: options)
        #expect(again.done == 6 && again.skipped == 6)
    }

    @Test func canariesThatFailStopTheRest() throws {
        let fleet = try FleetFolder(count: 6)
        try fleet.plan()
        for number in 0..<6 { try breakStore(fleet.store(number)) }
        let stopped = FleetError.canariesFailed(shard: 1, failed: 2, of: 2, isTemporary: false)
        #expect(!stopped.isTemporary)
        #expect(throws: stopped) { try fleet.run(options: canary(0.3)) }
        #expect(try fleet.status().failed == 2 && fleet.status().pending == 4)
        // Their rows still stop it, unless nobody asks for canaries.
        #expect(throws: stopped) { try fleet.run(options: canary(0.3)) }
        #expect(try fleet.run().failed == 6)
    }

    @Test(arguments: [(0.5, true), (0.4, false)])
    func soManyMayFailAsTheToleranceSays(tolerance: Double, goesOn: Bool) throws {
        let fleet = try FleetFolder(count: 4)
        for number in 0..<2 { try breakStore(fleet.store(number)) }
        try fleet.plan()
        if goesOn {
            #expect(try fleet.run(options: canary(1, tolerance)).failed == 2)
        } else {
            #expect(throws: FleetError.self) { try fleet.run(options: canary(1, tolerance)) }
        }
        #expect(try fleet.status().done == 2)
    }

    @Test func whatMayPassStopsTheRestForNow() throws {
        let fleet = try FleetFolder(count: 2)
        try fleet.plan()
        let connection = try Connection(path: fleet.store(0), access: .readWrite)
        try connection.execute("BEGIN EXCLUSIVE")
        let stopped = FleetError.canariesFailed(shard: 1, failed: 1, of: 2, isTemporary: true)
        #expect(stopped.isTemporary)
        #expect(throws: stopped) { try fleet.run(options: canary(1)) }
        try connection.execute("ROLLBACK")
        try connection.close()
        #expect(try fleet.run(options: canary(1)).done == 2)
    }

    @Test func canariesAreOfAllVersionsAndOfTheSmallestAndLargestSizes() throws {
        let fleet = try FleetFolder(count: 1)
        try fleet.plan()
        let connection = try Connection(path: fleet.manifest, access: .readWrite)
        try connection.execute("DELETE FROM store")
        for number in 1...100 {
            try connection.execute(
                "INSERT INTO store (path, bytes, version, cost, shard) VALUES (?, ?, ?, 1, 1)",
                [.string("/\(number)"), .integer(Int64(number)), .string(number == 50 ? "rare" : "common")])
        }
        try connection.close()
        let manifest = try FleetManifest(path: fleet.manifest)
        for (share, count) in [(0.01, 2...3), (0.1, 10...12), (1, 100...100)] {
            let chosen = try manifest.canaries(of: 1, share: share)
            #expect(count.contains(chosen.count) && chosen.contains(50), "\(share): \(chosen)")
            #expect(Set(chosen).count == chosen.count)
        }
        let tenth = try manifest.canaries(of: 1, share: 0.1)
        #expect((tenth.min() ?? 100) <= 10 && (tenth.max() ?? 0) > 90)
        #expect(try manifest.canaries(of: 2, share: 1) == [])
    }
}
