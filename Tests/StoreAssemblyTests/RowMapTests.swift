import TestSupport
import Testing

@testable import StoreAssembly

@Suite struct RowMapTests {
    @Test(arguments: [1, 2, 63, 64, 65, 511, 512, 513, 5000])
    func whatIsLeftIsCountedInTheOrderOfArrival(count: Int) {
        var random = RandomNumbers(seed: UInt64(count))
        for share in [0, 1, 3, 10] {
            var map = RowMap(arrivals: Int64(count))
            var gone = Set<Int64>()
            for arrival in 1...Int64(count) where Int.random(in: 0..<10, using: &random) < share {
                map.remove(arrival)
                // A second time changes nothing.
                map.remove(arrival)
                gone.insert(arrival)
            }
            map.seal()
            var key: Int64 = 0
            for arrival in 1...Int64(count) {
                #expect(map.contains(arrival) == !gone.contains(arrival))
                guard !gone.contains(arrival) else { continue }
                key += 1
                #expect(map.primaryKey(of: arrival) == key)
            }
            #expect(map.count == key)
            #expect(map.isIdentity == gone.isEmpty)
        }
    }
}
