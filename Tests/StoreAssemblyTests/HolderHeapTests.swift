import SQLiteFileBuilder
import TestSupport
import Testing

@testable import StoreAssembly

/// The first of the objects that have a value is the one that a list of all of them gives, whatever is kept in memory.
@Suite struct HolderHeapTests {
    @Test(arguments: RandomNumbers.seeds(20), [1, 2, 1000])
    func theFirstHolderIsThatOfAList(seed: Int, pages: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let directory = try TemporaryDirectory()
        var heap = try HolderHeap(beside: directory.file("a.sqlite"), pages: pages)
        for _ in 0..<3 {
            heap.removeAll()
            var all: [HolderHeap.Holder] = []
            // A page has about a hundred of them.
            for record in 0..<Int64([10, 700].randomElement(using: &random) ?? 10) {
                let moment = RecordMoment(record: record, phase: Int64.random(in: 0...1, using: &random))
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    let isKept = Int.random(in: 0..<200, using: &random) == 0
                    let holder = HolderHeap.Holder(
                        created: RecordMoment(record: Int64.random(in: 0...record, using: &random), phase: Int64(0)),
                        arrival: Int64(all.count),
                        end: isKept
                            ? .never
                            : RecordMoment(
                                record: record + Int64.random(in: 1...600, using: &random),
                                phase: Int64.random(in: 0...1, using: &random)))
                    all.append(holder)
                    try heap.add(holder)
                }
                let expected = all.filter { $0.end >= moment }.min { $0.isBefore($1) }
                #expect(try heap.first(at: moment)?.arrival == expected?.arrival)
            }
        }
    }
}
