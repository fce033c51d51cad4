import SQLiteFileBuilder
import TestSupport
import Testing

@testable import StoreAssembly

/// Whether all keys are different is what a set of them says, wherever equal ones are, and whatever is in memory.
@Suite struct DistinctKeysTests {
    private static func key(_ number: UInt64) -> KeyDigest {
        // The first byte says the part.
        KeyDigest(high: number << 56 | number, low: number &* 0x9e37_79b9_7f4a_7c15)
    }

    private func areAll(_ keys: [(digest: KeyDigest, kind: KeyEntry.Kind)], mostKeys: Int, entriesPerPart: Int) throws
        -> Bool
    {
        let directory = try TemporaryDirectory()
        var limits = AssemblyLimits()
        limits.entriesPerPart = entriesPerPart
        limits.waitingEntries = 3
        let entries = try PartitionedWords(width: SpoolEntry.shortWidth, path: directory.file("keys"), limits)
        for (index, key) in keys.enumerated() {
            try entries.append(KeyEntry.entry(key.digest, Int64(index + 1), key.kind, 0, payload: 0))
        }
        try entries.finish()
        return try DistinctKeys(entries, mostKeys: mostKeys).areAll()
    }

    @Test(arguments: [1, 2, 128])
    func equalKeysAreFoundInAllParts(entriesPerPart: Int) throws {
        for seed in RandomNumbers.seeds(20) {
            var random = RandomNumbers(seed: UInt64(seed))
            var keys = (0..<600).map { _ in (digest: Self.key(random.next() >> 20), kind: KeyEntry.Kind.row) }
            #expect(try areAll(keys, mostKeys: 1200, entriesPerPart: entriesPerPart))
            let other = try #require(keys.randomElement(using: &random))
            keys.insert(other, at: Int.random(in: 0..<600, using: &random))
            #expect(try !areAll(keys, mostKeys: 1200, entriesPerPart: entriesPerPart))
        }
    }

    @Test func othersThanRowsAreNotPassedOver() throws {
        for part in [0, 1, 127, 128, 255] as [UInt64] {
            for kind in [KeyEntry.Kind.reservation, .conditional, .sole, .impossible] {
                let keys = (0..<256 as Range<UInt64>).map { (digest: Self.key($0), kind: $0 == part ? kind : .row) }
                #expect(try !areAll(keys, mostKeys: 1200, entriesPerPart: 4))
            }
        }
    }

    @Test func tooManyKeysOfAPartAreLeftToOthers() throws {
        let keys = (0..<5 as Range<UInt64>).map { (digest: Self.key(200 + $0 << 8), kind: KeyEntry.Kind.row) }
        // Each of two threads has one half of the memory.
        #expect(try areAll(keys, mostKeys: 10, entriesPerPart: 2))
        #expect(try !areAll(keys, mostKeys: 9, entriesPerPart: 2))
    }
}
