import Foundation
import ImportTestSupport
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Hashes of keys in spools tell whether the keys are all different.
@Suite struct KeyRunTests {
    /// Hashes of which many have the same first bits, and some are equal.
    private static func hashes(_ random: inout RandomNumbers) -> [UInt64] {
        let firstBits = UInt64.random(in: 1...50, using: &random)
        let lastBits = UInt64.random(in: 1...50, using: &random)
        return (0..<Int.random(in: 0..<60, using: &random)).map { _ in
            UInt64.random(in: 0..<firstBits, using: &random) << 58 | UInt64.random(in: 0..<lastBits, using: &random) + 1
        }
    }

    @Test func runsAreAsDifferentAsTheirHashes() throws {
        let directory = try TemporaryDirectory()
        var (distinct, others) = (0, 0)
        for seed in RandomNumbers.seeds(400) {
            var random = RandomNumbers(seed: UInt64(seed))
            var limits = SpoolLimits()
            limits.keysOfRun = random.limit()
            limits.keysOfBlock = random.limit()
            limits.comparedHashes = Bool.random(using: &random) ? 60 * 3 : random.limit()
            var runs: [(reader: SpoolReader, run: SpooledKeys.Run)] = []
            var all: [UInt64] = []
            for number in 0..<Int.random(in: 1...3, using: &random) {
                let path = directory.file("\(number).ferryspool")
                var writer = try SpoolWriter(path, replacing: true)
                try writer.append(.import, [])
                var keys = KeyRunWriter(of: [4, 2], limits)
                let added = Self.hashes(&random)
                for start in stride(from: 0, to: added.count, by: 5) {
                    let batch = added[start..<min(added.count, start + 5)]
                    // What comes of another source in between begins another run.
                    if Int.random(in: 0..<4, using: &random) == 0 { try keys.add([7, 7], of: 4, to: &writer) }
                    try keys.add(Array(batch), of: 2, to: &writer)
                }
                try keys.finish(&writer)
                try writer.finish([])
                all += added
                #expect(keys.keys.map(\.source) == [4, 2])
                let own = keys.keys[1].runs
                #expect(own.reduce(0) { $0 + $1.count } == added.count, "seed \(seed)")
                let reader = try SpoolReader(path)
                runs += own.map { (reader: reader, run: $0) }
            }
            var merge = KeyRunMerge(runs, limits)
            let found = try merge.areDistinct(nil)
            let isExpected = Set(all).count == all.count
            if limits.comparedHashes == 60 * 3 {
                #expect(found == isExpected, "seed \(seed)")
            } else {
                #expect(!found || isExpected, "seed \(seed)")
            }
            if found { distinct += 1 } else { others += 1 }
        }
        #expect(distinct > 0 && others > 0)
    }

    @Test(arguments: [0, 1, 2, 1023, 1024, 5000]) func hashesComeInTheOrderOfTheirFirstBits(count: Int) {
        var random = RandomNumbers(seed: UInt64(count))
        var hashes = (0..<count).map { _ in UInt64.random(in: 0...(.max), using: &random) }
        let sorted = hashes.map { $0 >> KeyRunWriter.orderShift }.sorted()
        let all = hashes.sorted()
        var scratch: [UInt64] = [1, 2, 3]
        KeyRunWriter.sort(&hashes, &scratch)
        #expect(hashes.map { $0 >> KeyRunWriter.orderShift } == sorted)
        #expect(hashes.sorted() == all)
    }

    @Test func aMergeIsCancelled() throws {
        var merge = KeyRunMerge([], SpoolLimits())
        #expect(throws: ImportError.self) { try merge.areDistinct { true } }
    }

    private static let mapping = """
        import: 1
        files: 'people*.csv'
        entity: Person
        key: number
        attributes: [number, name]
        relationships:
          team: {by: code, from: team, onMissing: create}

        """

    /// Whether the spools of three shards tell that all numbers are different; the store is that of one import.
    private func areDistinct(_ numbers: [[Int]], mapping: String = Self.mapping, limits: SpoolLimits) throws -> Bool {
        let fixture = try ImportFixture(entities: ShardScenario.entities)
        let sources = try numbers.enumerated().map { index, numbers in
            try fixture.write(
                "number,name,team\n" + numbers.map { "\($0),name \($0),t\($0 % 3)\n" }.joined(),
                as: "people\(index).csv")
        }
        let plan = ImportRun.Plan.mapping(try ImportMapping(yaml: mapping))
        var options = ImportOptions(limits: RecordBatch.Limits(rows: 7))
        options.fixedLimits.spools = limits
        _ = try fixture.checkShards(3, sources, plan, options: options, "\(limits)")
        let folder = fixture.directory.file("kept")
        for number in 1...3 {
            _ = try ImportRun(target: fixture.target, sources: sources, plan: plan, options: options)
                .spool(to: folder, #require(ImportShard(number, of: 3)))
        }
        return try ImportSpools([folder]).haveDistinctKeys(0, limits, isCancelled: nil)
    }

    @Test(arguments: [1, 2, 3, 7, 1 << 18]) func keysThatAreAllDifferentAreKnownToBe(keys: Int) throws {
        var limits = SpoolLimits()
        limits.keysOfRun = keys
        limits.keysOfBlock = keys
        let numbers = (0..<100).map { $0 * 31 % 1009 }
        #expect(try areDistinct([numbers], limits: limits))
        #expect(try areDistinct([Array(numbers[..<40]), Array(numbers[40...])], limits: limits))
        // One that comes again at the other end, and in the same batch.
        #expect(try !areDistinct([numbers + [numbers[0]]], limits: limits))
        #expect(try !areDistinct([numbers, [numbers[3]]], limits: limits))
        #expect(try !areDistinct([[5, 5] + numbers.filter { $0 != 5 }], limits: limits))
    }

    @Test func moreRunsThanAreComparedSayNothing() throws {
        var limits = SpoolLimits()
        limits.keysOfRun = 7
        // A run has the keys of a batch.
        let numbers = Array(1...70)
        limits.comparedRuns = 10
        #expect(try areDistinct([numbers], limits: limits))
        limits.comparedRuns = 9
        #expect(try !areDistinct([numbers], limits: limits))
    }

    @Test func keysThatRecordsNameAreCompared() throws {
        let mapping = Self.mapping + "  boss: {by: number, from: name, onMissing: skip}\n"
        #expect(try !areDistinct([Array(1...30)], mapping: mapping, limits: SpoolLimits()))
        let others = Self.mapping + "onMissing: skip\n"
        #expect(try !areDistinct([Array(1...30)], mapping: others, limits: SpoolLimits()))
    }
}
