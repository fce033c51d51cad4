import SQLiteFileBuilder
import TestSupport
import Testing

@testable import StoreAssembly

/// The rank of a key is its place among the sorted keys of its table, whatever the sizes of blocks and of their cache
/// are.
@Suite struct KeyRanksTests {
    /// Keys in ascending order: close together, with gaps, or far apart.
    private static func keys(_ random: inout RandomNumbers) -> [Int64] {
        let highest: Int64 = [200, 70_000, 3_000_000, 1 << 61].randomElement(using: &random) ?? 200
        let count = Int.random(in: 0...300, using: &random)
        let start = Int64.random(in: 1...1000, using: &random)
        let run = Bool.random(using: &random) ? (0..<Int64(count)).map { start + $0 } : []
        return Set(run + (0..<count).map { _ in Int64.random(in: 1...highest, using: &random) }).sorted()
    }

    @Test(arguments: RandomNumbers.seeds(60), RandomNumbers.limitSizes)
    func ranksAreWhatSortingGives(seed: Int, size: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let directory = try TemporaryDirectory()
        var limits = BuildLimits()
        (limits.rankedKeys, limits.rankBlocks) = (random.limit(size), random.limit(size))
        let blocks = try KeyBlocks(beside: directory.file("a.sqlite"), limits)
        // Blocks of several tables lie among each other.
        let tables = (0..<3).map { _ in Self.keys(&random) }
        var ranks = tables.map { _ in KeyRanks(blocks) }
        for place in 0..<(tables.map(\.count).max() ?? 0) {
            for table in tables.indices where place < tables[table].count {
                try ranks[table].append(tables[table][place])
            }
        }
        for _ in 0..<400 {
            let table = Int.random(in: 0..<tables.count, using: &random)
            let keys = tables[table]
            #expect(ranks[table].count == Int64(keys.count))
            let others = Int64.random(in: -5...80_000, using: &random)
            let key = Bool.random(using: &random) ? keys.randomElement(using: &random) ?? others : others
            let rank = keys.firstIndex(of: key).map { Int64($0) + 1 }
            #expect(try ranks[table].rank(of: key) == rank, "key \(key), seed \(seed), \(limits)")
            if let rank { #expect(try ranks[table].key(at: rank) == key) }
        }
    }
}
