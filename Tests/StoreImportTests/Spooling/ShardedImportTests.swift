import Foundation
import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// An import in shards is the import of all sources: the same file, report and rejected records.
@Suite struct ShardedImportTests {
    /// What is left of an import.
    private struct Outcome: Equatable {
        var store: Data
        var rejects: [String: Data]
        var report: ImportReport
    }

    private struct Trial {
        let fixture: ImportFixture
        let sources: [String]
        let plan: ImportRun.Plan

        init(_ scenario: ShardScenario) throws {
            fixture = try ImportFixture(entities: ShardScenario.entities)
            sources = try scenario.write(to: fixture.directory)
            plan = .mapping(try ImportMapping(yaml: scenario.mapping))
        }

        func outcome(_ rejects: String, _ report: ImportReport) throws -> Outcome {
            var report = report
            (report.seconds, report.peakMemory, report.store, report.progress) = (0, 0, "", nil)
            (report.peakSpace, report.freeSpace) = (nil, nil)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: rejects)) ?? []
            let files = try names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: rejects + "/" + $0))) }
            let store = try Data(contentsOf: URL(fileURLWithPath: fixture.store))
            try? FileManager.default.removeItem(atPath: rejects)
            try FileManager.default.removeItem(atPath: fixture.store)
            return Outcome(store: store, rejects: Dictionary(uniqueKeysWithValues: files), report: report)
        }

        func whole(_ options: ImportOptions) throws -> Outcome {
            var options = options
            let rejects = fixture.directory.file("rejects")
            options.rejectsDirectory = rejects
            return try outcome(rejects, fixture.run(sources, plan, options: options))
        }

        func assembled(_ count: Int, _ options: ImportOptions, _ assembling: ImportOptions) throws -> Outcome {
            var assembling = assembling
            let rejects = fixture.directory.file("rejects")
            assembling.rejectsDirectory = rejects
            let report = try fixture.run(
                inShards: count, sources, plan, spooling: options, options: assembling)
            return try outcome(rejects, report)
        }
    }

    @Test(arguments: ShardScenario.Kind.allCases)
    func anyDivisionMakesTheSameStore(kind: ShardScenario.Kind) throws {
        var rejected: Int64 = 0
        for seed in RandomNumbers.seeds(30) {
            var random = RandomNumbers(seed: UInt64(seed))
            let scenario = ShardScenario(kind, &random)
            let trial = try Trial(scenario)
            let rows = [1, 2, 3, 7, 1000].randomElement(using: &random) ?? 1
            var options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
            options.fixedLimits.spools.keysOfRun = [1, 2, 3, 7, 1 << 18].randomElement(using: &random) ?? 1
            options.fixedLimits.spools.keysOfBlock = [1, 2, 3, 7, 1 << 11].randomElement(using: &random) ?? 1
            var assembling = options
            assembling.fixedLimits.spools.comparedRuns = [0, 1, 7, 256].randomElement(using: &random) ?? 0
            assembling.fixedLimits.spools.comparedHashes = [0, 1, 64].randomElement(using: &random) ?? 0
            assembling.fixedLimits.packedBytes = [0, 60, 1 << 20].randomElement(using: &random) ?? 0
            assembling.fixedLimits.assembly.entriesAside = [0, 1, 2, 3, 7, 1000].randomElement(using: &random) ?? 0
            let whole = try trial.whole(options)
            rejected += whole.report.rejected
            for count in [1, 2, 3, 7] {
                let assembled = try trial.assembled(count, options, assembling)
                #expect(assembled.report == whole.report, "seed \(seed), \(count) shards, \(scenario.mapping)")
                #expect(assembled.rejects == whole.rejects, "seed \(seed), \(count) shards, \(scenario.mapping)")
                #expect(assembled.store == whole.store, "seed \(seed), \(count) shards, \(scenario.mapping)")
                if assembled != whole { return }
            }
        }
        #expect(rejected > 0)
    }

    @Test func aCutInsideQuotesIsNone() throws {
        let fixture = try ImportFixture(entities: ShardScenario.entities)
        // Nearly all bytes are those of one value, which looks like records.
        let value = (0..<200).map { "\($0),name\($0),,,\n" }.joined()
        let path = try fixture.write("number,name,team,boss,projects\n1,\"\(value)\",,,\n2,last,,,\n", as: "a.csv")
        let plan = ImportRun.Plan.entity(EntityRequest(entity: "Person", key: ["number"]))
        let folder = fixture.directory.file("spools")
        var counts: [Int64] = []
        let options = ImportOptions(limits: RecordBatch.Limits(rows: 1))
        for number in 1...5 {
            let shard = try #require(ImportShard(number, of: 5))
            counts.append(
                try ImportRun(target: fixture.target, sources: [path], plan: plan, options: options)
                    .spool(to: folder, shard).records)
        }
        #expect(counts == [1, 0, 0, 0, 1])
        let report = try ImportSpools([folder]).assemble(
            into: fixture.store, uuid: UUID().uuidString, options: ImportOptions())
        #expect(report.entities.first?.inserted == 2)
        #expect(try fixture.rows("SELECT length(ZNAME) FROM ZPERSON") == ["\(value.count)", "4"])
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func sharesCoverAllBytesOnce(count: Int) throws {
        for total in [0, 1, 2, 999, 1 << 40, Int.max] {
            var end = 0
            for number in 1...count {
                let share = try #require(ImportShard(number, of: count)).share(of: total)
                #expect(share.lowerBound == end)
                end = share.upperBound
            }
            #expect(end == total)
        }
    }
}
