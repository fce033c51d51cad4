import TestSupport
import Testing

@testable import SQLiteFileBuilder

/// Tuples are in the order that a plain sort gives them, whatever their numbers are and however little memory there is.
@Suite struct TupleSorterTests {
    private enum Numbers: CaseIterable {
        case few, many, extreme, constant, ascending

        func number(_ place: Int, _ column: Int, using random: inout RandomNumbers) -> Int64 {
            switch self {
            case .few: .random(in: -2...2, using: &random)
            case .many: .random(in: .min ... .max, using: &random)
            case .extreme: [.min, .min + 1, -1, 0, 1, .max - 1, .max].randomElement(using: &random) ?? 0
            case .constant: Int64(column) * -7
            case .ascending: Int64(place / (column + 1)) - 10
            }
        }
    }

    private static func precedes(_ one: [Int64], _ other: [Int64]) -> Bool { one.lexicographicallyPrecedes(other) }

    /// The sorters share memory for a few tuples, so that each of them spills while others are filled, and runs are
    /// merged in several rounds and pieces.
    @Test(arguments: [1, 2, 3, 7, 100, 100_000])
    func tuplesAreSortedInAnyMemory(limit: Int) throws {
        let directory = try TemporaryDirectory()
        for seed in RandomNumbers.seeds(40) {
            var random = RandomNumbers(seed: UInt64(limit * 1000 + seed))
            var limits = BuildLimits()
            limits.sortMemory = limit * 60
            limits.mergedRecordRuns = Int.random(in: 1...5, using: &random)
            limits.recordPiece = Int.random(in: 1...200, using: &random)
            let memory = SpoolMemory(limits, beside: directory.file("spool"))
            let widths = (0..<3).map { _ in Int.random(in: 1...9, using: &random) }
            let kinds = widths.map { width in
                (0..<width).map { _ in Numbers.allCases.randomElement(using: &random) ?? .few }
            }
            let sorters = widths.map { TupleSorter(width: $0, memory) }
            var expected = widths.map { _ in [[Int64]]() }
            for round in 0..<2 {
                for place in 0..<Int.random(in: 0...300, using: &random) {
                    let chosen = Int.random(in: 0..<3, using: &random)
                    let tuple = kinds[chosen].enumerated().map { $1.number(place, $0, using: &random) }
                    expected[chosen].append(tuple)
                    try sorters[chosen].add(tuple)
                }
                for chosen in 0..<3 where round == 1 || chosen == 0 {
                    #expect(sorters[chosen].count == expected[chosen].count)
                    let cursor = try sorters[chosen].sorted()
                    #expect(sorters[chosen].count == 0)
                    expected[chosen].sort(by: Self.precedes)
                    let again = cursor.restarted()
                    for tuple in expected[chosen] {
                        #expect(try cursor.next() == tuple)
                        #expect(!cursor.isAtEnd)
                        #expect(try again.advance() && again[0] == tuple[0])
                    }
                    #expect(try cursor.next() == nil && cursor.isAtEnd && !cursor.advance())
                    #expect(try !again.advance())
                    expected[chosen] = []
                }
            }
        }
    }

    /// Tuples in a file keep their order, and blocks with larger numbers are packed into more bits.
    @Test func tuplesInAFileAreThoseThatWereAdded() throws {
        let directory = try TemporaryDirectory()
        for seed in RandomNumbers.seeds(48) {
            var random = RandomNumbers(seed: UInt64(seed))
            let width = Int.random(in: 1...7, using: &random)
            let kinds = (0..<width).map { _ in Numbers.allCases.randomElement(using: &random) ?? .few }
            let file = try TupleFile(width: width, SpoolMemory(limit: 1 << 16, beside: directory.file("spool")))
            let count = [0, 1, PairFile.bufferWords / width, 3 * PairFile.bufferWords / width + 5][seed % 4]
            // Some numbers change when there are already blocks without them.
            let late = Int.random(in: 0...max(1, count), using: &random)
            let tuples = (0..<count).map { place in
                kinds.enumerated().map { column, kind in
                    (place < late && column % 2 == 1 ? Numbers.few : kind).number(place, column, using: &random)
                }
            }
            for tuple in tuples { try file.append(tuple.span) }
            for _ in 0..<2 {
                let cursor = try file.cursor()
                for tuple in tuples { try #require(try cursor.next() == tuple) }
                #expect(try cursor.next() == nil)
            }
        }
    }

    /// However numbers grow, there are no more packings than bits.
    @Test(arguments: [1, 2, 6]) func packingsHaveRoomForMore(width: Int) {
        var random = RandomNumbers(seed: UInt64(width))
        for kind in 0..<6 {
            var (packing, count) = (nil as TuplePacking?, 0)
            for step in 1...2000 as ClosedRange<Int64> {
                var words: [UInt64] = []
                for _ in 0..<2 * width {
                    let number: Int64 =
                        switch kind {
                        case 0: step * 1000
                        case 1: .max - step * 1000
                        case 2: -step
                        case 3: .min + step
                        case 4: step % 2 == 0 ? step : -step
                        default: .random(in: .min ... .max, using: &random) >> (63 - step % 64)
                        }
                    words.append(UInt64(bitPattern: number))
                }
                let tuples = TuplePacking(of: words.span, width: width)
                if packing?.includes(tuples) ?? false { continue }
                let next = (packing ?? tuples).extended(by: tuples)
                #expect(next.includes(tuples))
                if let packing { #expect(next.includes(packing) && packing.wordCount <= next.wordCount) }
                (packing, count) = (next, count + 1)
            }
            #expect(count > 1 && count <= 64 * width + 1, "\(kind)")
        }
    }

    /// With the default limits for runs, and enough tuples for several of them.
    @Test(arguments: [1, 3, 6]) func runsOfManyTuplesAreMerged(width: Int) throws {
        let directory = try TemporaryDirectory()
        var random = RandomNumbers(seed: UInt64(width))
        let memory = SpoolMemory(limit: 1 << 16, beside: directory.file("spool"))
        let sorter = TupleSorter(width: width, memory)
        var expected: [[Int64]] = []
        for place in 0..<10_000 {
            var tuple = (0..<width).map { _ in Int64.random(in: -500...500, using: &random) }
            if width == 6 { tuple[4] = .random(in: .min ... .max, using: &random) }
            if width > 1, place % 3 == 0 { tuple[0] = Int64(place) }
            expected.append(tuple)
            try sorter.add(tuple)
        }
        expected.sort(by: Self.precedes)
        let cursor = try sorter.sorted()
        for tuple in expected where try cursor.next() != tuple {
            Issue.record("a tuple is in another place")
            return
        }
        #expect(try cursor.next() == nil)
    }

    @Test func packedTuplesAreTheTuples() {
        var random = RandomNumbers(seed: 5)
        for _ in RandomNumbers.seeds(200) {
            let width = Int.random(in: 1...7, using: &random)
            let kinds = (0..<width).map { _ in Numbers.allCases.randomElement(using: &random) ?? .few }
            let tuples = (0..<Int.random(in: 1...30, using: &random)).map { place in
                kinds.enumerated().map { $1.number(place, $0, using: &random) }
            }
            var words = tuples.flatMap { $0 }.map { UInt64(bitPattern: $0) }
            let packing = TuplePacking(of: words.span, width: width)
            #expect(packing.wordCount <= width)
            var all = words.mutableSpan
            for index in tuples.indices {
                packing.pack(&all, from: index * width, to: index * packing.wordCount)
            }
            words.removeLast(tuples.count * (width - packing.wordCount))
            var numbers: [Int64] = []
            packing.unpack(words.span, to: &numbers)
            #expect(numbers == tuples.flatMap { $0 })
            let packed = tuples.indices.map { Array(words[$0 * packing.wordCount..<($0 + 1) * packing.wordCount]) }
            for (one, other) in zip(tuples.indices, tuples.indices.dropFirst()) {
                #expect(
                    packed[one].lexicographicallyPrecedes(packed[other])
                        == tuples[one].lexicographicallyPrecedes(tuples[other]))
            }
        }
    }
}
