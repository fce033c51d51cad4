import SQLiteAccess
import TestSupport
import Testing

@testable import StoreConversion

/// New keys are the places of the old ones among those of their hierarchy, whether they wait in memory or on disk.
@Suite struct KeyRenumberingTests {
    /// Keys of three hierarchies in random order: close together, far apart, or so far that bits are never enough.
    private static func keys(_ random: inout RandomNumbers) -> [(root: Int, key: Int64)] {
        let highest: Int64 = [200, 70_000, 3_000_000, 1 << 61].randomElement(using: &random) ?? 200
        let keys = Set((0..<400).map { _ in Int64.random(in: 1...highest, using: &random) })
        return keys.map { (Int.random(in: 0...2, using: &random), $0) }.shuffled(using: &random)
    }

    /// - Parameter pages: how many pages of bits there is room for: none, so that all is on disk; one or two, so that
    ///   some keys move there; or what there is as a rule.
    @Test(arguments: RandomNumbers.seeds(60), [0, 1, 2, nil] as [Int?])
    func keysAreWhatSortingGives(seed: Int, pages: Int?) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let keys = Self.keys(&random)
        let bases: [Int64] = [0, 1000, 5]
        var limits = ConversionLimits()
        if let pages { limits.keyBits = pages * 4400 }
        let directory = try TemporaryDirectory()
        let connection = try Connection(path: directory.file("a.sqlite"), access: .create)
        let renumbering = KeyRenumbering(
            on: connection, number: 0, bases: bases, path: "a.sqlite", limits: limits)
        for (root, key) in keys { try renumbering.add(key, root: root) }
        #expect(try renumbering.number() == nil)
        for root in bases.indices {
            let sorted = keys.filter { $0.root == root }.map(\.key).sorted()
            for (place, key) in sorted.enumerated() {
                let new = bases[root] + Int64(place) + 1
                #expect(try renumbering.newKey(of: key, root: root) == new)
                if place % 37 == 0 { #expect(try renumbering.oldKey(of: new, root: root) == key) }
            }
            #expect(try renumbering.oldKey(of: bases[root] + Int64(sorted.count) + 1, root: root) == nil)
            for _ in 0..<50 {
                let other = Int64.random(in: 1...100_000, using: &random)
                if !sorted.contains(other) { #expect(try renumbering.newKey(of: other, root: root) == -other) }
            }
            #expect(try renumbering.newKey(of: 0, root: root) == -1)
            #expect(try renumbering.newKey(of: -7, root: root) == -7)
        }
    }

    @Test(arguments: [0, 1, 2, nil] as [Int?])
    func aKeyThatIsThereTwiceIsFoundInItsHierarchyOnly(pages: Int?) throws {
        let directory = try TemporaryDirectory()
        let connection = try Connection(path: directory.file("a.sqlite"), access: .create)
        var limits = ConversionLimits()
        if let pages { limits.keyBits = pages * 4400 }
        func shared(_ keys: [(Int64, Int)]) throws -> String? {
            let renumbering = KeyRenumbering(
                on: connection, number: 0, bases: [0, 0], path: "a.sqlite", limits: limits)
            for (key, root) in keys { try renumbering.add(key, root: root) }
            let shared = try renumbering.number()
            try renumbering.removeTables()
            return shared.map { "\($0.root) \($0.key)" }
        }
        #expect(try shared([(7, 0), (7, 1), (90_000, 0)]) == nil)
        #expect(try shared([(7, 0), (9, 1), (9, 1), (90_000, 0), (5, 1)]) == "1 9")
        #expect(try shared([(40_000, 0), (7, 0), (90_000, 0), (40_000, 0)]) == "0 40000")
        // Two of them, the lowest last, on both sides of the limit.
        #expect(try shared([(8, 1), (8, 1), (7, 1), (90_000, 0), (70_000, 1), (7, 1)]) == "1 7")
    }
}
