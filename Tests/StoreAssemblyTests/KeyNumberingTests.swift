import GeneratedStores
import SQLiteFileBuilder
import TestSupport
import Testing

@testable import StoreAssembly

/// The new key of an object is the place of its old one among the sorted keys of its table, whatever is kept in memory.
@Suite struct KeyNumberingTests {
    @Test(arguments: RandomNumbers.seeds(40), RandomNumbers.limitSizes)
    func newKeysAreWhatSortingGives(seed: Int, size: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let directory = try TemporaryDirectory()
        let limits = BuildLimits(size, &random)
        let blocks = try KeyBlocks(beside: directory.file("a.sqlite"), limits)
        // Several stores share the blocks.
        for _ in 0..<2 {
            let tables = (0..<3).map { _ in
                let highest: Int64 = [200, 3_000_000, 1 << 61].randomElement(using: &random) ?? 200
                let count = Int.random(in: 0...150, using: &random)
                return Set((0..<count).map { _ in Int64.random(in: 1...highest, using: &random) }).sorted()
            }
            let numbering = KeyNumbering(tables: 3, blocks, limits, beside: directory.file("a.sqlite"))
            for (table, key) in tables.enumerated().flatMap({ place, keys in keys.map { (place, $0) } })
                .shuffled(using: &random)
            {
                try numbering.add(key, toTable: table)
            }
            #expect(try numbering.number() == nil)
            for (table, keys) in tables.enumerated() {
                for (place, key) in keys.enumerated() {
                    #expect(try numbering.newKey(of: key, inTable: table) == Int64(place) + 1, "seed \(seed)")
                    #expect(try numbering.oldKey(of: Int64(place) + 1, inTable: table) == key, "seed \(seed)")
                }
                for other in [-3, 0, Int64.random(in: 1...250, using: &random)] where !keys.contains(other) {
                    #expect(try numbering.newKey(of: other, inTable: table) < 0)
                }
                #expect(try numbering.oldKey(of: 0, inTable: table) == nil)
                #expect(try numbering.oldKey(of: Int64(keys.count) + 1, inTable: table) == nil)
            }
        }
    }

    @Test(arguments: RandomNumbers.limitSizes)
    func aKeyThatTwoObjectsOfATableHaveIsFound(size: Int) throws {
        var random = RandomNumbers(seed: UInt64(size))
        let directory = try TemporaryDirectory()
        let limits = BuildLimits(size, &random)
        let path = directory.file("a.sqlite")
        let numbering = KeyNumbering(tables: 2, try KeyBlocks(beside: path, limits), limits, beside: path)
        for key in [5, 1, 9, 30, 8, 9, 7, 8] as [Int64] { try numbering.add(key, toTable: 1) }
        // Objects of two tables may have one.
        for key in [5, 1, 9] as [Int64] { try numbering.add(key, toTable: 0) }
        let found = try #require(try numbering.number())
        #expect(found == (table: 1, key: 8))
    }
}
