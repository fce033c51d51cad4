import Foundation
import PersistentStores
import SQLiteAccess
@testable import StoreFleets
import StoreMigration
import TestSupport
import Testing

/// The manifest of a fleet.
@Suite struct FleetPlannerTests {
    @Test func aStoreIsPlannedOnceByWhateverNames() throws {
        let fleet = try FleetFolder(count: 3)
        let link = fleet.directory.file("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: fleet.store(0))
        let planner = try FleetPlanner(FleetFolder.options, shards: 2, to: fleet.manifest)
        for path in [fleet.stores, fleet.store(1), link] { try planner.add(path) }
        let summary = try planner.finish()
        #expect(summary.stores == 3 && summary.duplicates == 2)
    }

    @Test func shardsHaveTheSameCost() throws {
        let fleet = try FleetFolder(count: 8)
        try fleet.plan(shards: 4)
        let connection = try Connection(path: fleet.manifest, access: .readOnly)
        let counts = try connection.rows("SELECT count(*) FROM store GROUP BY shard")
        #expect(counts == Array(repeating: [.integer(2)], count: 4))
    }

    @Test func aManifestOrLedgersThatAreThereStay() throws {
        let fleet = try FleetFolder(count: 1)
        try fleet.plan()
        #expect(throws: StoreError.self) { try fleet.plan() }
        try fleet.run()
        try FileManager.default.removeItem(atPath: fleet.manifest)
        #expect(throws: StoreError.self) { try fleet.plan() }
    }

    @Test func storesWithOneDestinationAreRefused() throws {
        let fleet = try FleetFolder(count: 1)
        let other = try FleetFolder(count: 1)
        var options = FleetFolder.options
        options.outputDirectory = fleet.directory.file("new")
        let planner = try FleetPlanner(options, shards: 1, to: fleet.manifest)
        try planner.add(fleet.stores)
        #expect(throws: FleetError.self) { try planner.add(other.stores) }
    }

    @Test func modelsThatChangedAndShardsThatAreNotThereAreRefused() throws {
        let fleet = try FleetFolder(count: 1)
        let models = fleet.directory.file("Company.xcdatamodeld")
        try FileManager.default.copyItem(atPath: Samples.models("Company"), toPath: models)
        try fleet.plan(FleetOptions(.migrate, models: [models]))
        #expect(throws: FleetError.noSuchShard(1, of: 2, planned: 1)) { try fleet.run(shard: 1, of: 2) }
        #expect(throws: FleetError.noSuchShard(2, of: 1, planned: 1)) { try fleet.run(shard: 2, of: 1) }
        let versions = try FileManager.default.contentsOfDirectory(atPath: models).filter {
            $0.hasSuffix(".xcdatamodel")
        }
        let first = try #require(versions.min())
        try FileManager.default.removeItem(atPath: models + "/" + first)
        #expect(throws: FleetError.modelsChanged(FileSystem.resolvingLinks(fleet.manifest))) { try fleet.run() }
        #expect(try fleet.status().pending == 1)
    }

    @Test func aPolicyThatNoMappingModelNamesIsRefused() throws {
        let fleet = try FleetFolder(count: 1)
        var options = FleetFolder.options
        options.policies = ["App.PostPolicy": "default"]
        #expect(throws: UnknownPolicyClass.self) { try fleet.plan(options) }
        #expect(!FileSystem.isThere(fleet.manifest))
    }

    @Test func aReportNamesSoManyStoresAsItsLimitsSay() throws {
        let fleet = try FleetFolder(count: 5)
        for number in 0..<4 { try Data("x".utf8).write(to: URL(fileURLWithPath: fleet.store(number))) }
        try fleet.plan(shards: 2)
        for shard in 1...2 { try fleet.run(shard: shard, of: 2) }
        for limit in [1, 2, 3, 7] {
            var limits = FleetReader.Limits()
            (limits.examples, limits.stragglers, limits.intervals) = (limit, limit, limit)
            let report = try FleetReader(FleetManifest(path: fleet.manifest), limits: limits).report()
            #expect(report.reasons.map(\.stores) == [4] && report.reasons[0].examples.count == min(4, limit))
            #expect(report.stragglers.count == min(5, limit) && report.throughput.count <= limit)
            #expect(report.throughput.map(\.stores).reduce(0, +) == 5)
        }
    }

    @Test(arguments: [
        ("*/Company.sqlite", 3), ("tenant-[12]/*", 2), ("tenant-?", 3), ("**/*.sqlite", 4), ("**/deep/**", 1),
        ("tenant-1/../tenant-2/*.sqlite", 1),
    ])
    func aPatternMeansTheStoresThatItMatches(pattern: String, count: Int64) throws {
        let fleet = try FleetFolder(count: 3)
        let deep = fleet.stores + "/deep/er"
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        try StoreFiles(fleet.store(0)).copy(to: StoreFiles(deep + "/Company.sqlite"))
        var options = FleetFolder.options
        options.outputDirectory = fleet.directory.file("new")
        let planner = try FleetPlanner(options, shards: 1, to: fleet.manifest)
        try planner.add(fleet.stores + "/" + pattern)
        let summary = try planner.finish()
        #expect(summary.stores == count && summary.problems.isEmpty)
    }

    @Test func aPatternThatMatchesNothingIsAnErrorAndALineOfAListIsNone() throws {
        let fleet = try FleetFolder(count: 1)
        let planner = try FleetPlanner(FleetFolder.options, shards: 1, to: fleet.manifest)
        let pattern = fleet.stores + "/no*"
        #expect(throws: FleetError.nothingMatches(pattern)) { try planner.add(pattern) }
        try planner.add(pattern, hasPatterns: false)
        #expect(try planner.finish().problems == ["missing": 1])
    }

    @Test func storesElsewhereArePlannedByTheirNamesAndBytes() throws {
        let fleet = try FleetFolder(count: 0)
        var options = FleetFolder.options
        options.isRemote = true
        options.outputDirectory = fleet.directory.file("new")
        let planner = try FleetPlanner(options, shards: 2, to: fleet.manifest)
        for line in ["a/1.sqlite\t500", "a/2.sqlite\t100", "a/2.sqlite", "../b.sqlite"] { try planner.add(line) }
        for line in ["a\tb", "a\t1\t2", "\t5", "a\t-1"] {
            #expect(throws: FleetError.badStorePath(line)) { try planner.add(line) }
        }
        let summary = try planner.finish()
        #expect(summary.stores == 3 && summary.duplicates == 1 && summary.bytes == 600 && summary.problems.isEmpty)
        let outputs = try Connection(path: fleet.manifest, access: .readOnly).rows("SELECT output FROM store")
        #expect(outputs.allSatisfy { $0[0].string?.hasPrefix(fleet.directory.file("new/")) == true })
        #expect(throws: FleetError.fetchMissing(FileSystem.resolvingLinks(fleet.manifest))) {
            try fleet.run(shard: 1, of: 2)
        }
    }

    @Test func anotherFileIsNoManifest() throws {
        let fleet = try FleetFolder(count: 1)
        #expect(throws: FleetError.notAManifest(fleet.store(0))) { try FleetManifest(path: fleet.store(0)) }
        #expect(throws: StoreError.self) { try FleetManifest(path: fleet.manifest) }
    }
}
