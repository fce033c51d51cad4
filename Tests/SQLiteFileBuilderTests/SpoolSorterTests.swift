import TestSupport
import Testing

@testable import SQLiteFileBuilder

/// Sorters that share memory give what was added in its order, also while others are filled.
@Suite struct SpoolSorterTests {
    @Test(arguments: [1, 2, 3, 7, 1000])
    func rowsStayWhatTheyAreWhileOthersAskForMemory(limit: Int) throws {
        let directory = try TemporaryDirectory()
        for seed in RandomNumbers.seeds(20) {
            var random = RandomNumbers(seed: UInt64(limit * 1000 + seed))
            let memory = SpoolMemory(limit: limit * 100, beside: directory.file("spool"))
            let (groups, tuples, pairs) = (GroupSorter(memory), TupleSorter(width: 2, memory), PairSorter(memory))
            var expected: [(group: Int64, place: Int64, row: [UInt8])] = []
            for place in 0..<Int64.random(in: 0...60, using: &random) {
                let group = Int64.random(in: 0..<9, using: &random)
                let length = Int.random(in: 0..<40, using: &random)
                let row = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
                expected.append((group, place, row))
                try groups.add(group: group, place: place, row.span)
            }
            expected.sort { ($0.group, $0.place) < ($1.group, $1.place) }
            var next = 0
            try groups.drain { (group, place, row) throws(BuildError) in
                guard next < expected.count else { return next += 1 }
                let known = expected[next]
                #expect((group, place) == (known.group, known.place))
                #expect(row.indices.map { row[$0] } == known.row)
                next += 1
                // More than all have together.
                for number in 0..<4 {
                    try tuples.add([place, Int64(number)])
                    try pairs.add(place, Int64(number))
                }
            }
            #expect(next == expected.count)
            let sorted = try tuples.sorted()
            for place in 0..<Int64(expected.count) {
                for number in 0..<4 as Range<Int64> { #expect(try sorted.next() == [place, number]) }
            }
            #expect(try sorted.next() == nil)
            let merged = try pairs.merged()
            for place in 0..<Int64(expected.count) {
                for number in 0..<4 as Range<Int64> {
                    let pair = try merged.next()
                    #expect(pair?.first == place && pair?.second == number)
                }
            }
        }
    }
}
