import TestSupport
import Testing

@testable import StoreMigration

@Suite struct KeyRunsTests {
    @Test(arguments: UInt64(1)...5)
    func keysAreFoundFromAnyOnwards(seed: UInt64) {
        var random = RandomNumbers(seed: seed)
        var keys: [Int64] = [.min]
        var runs = KeyRuns(limit: 1000)
        for _ in 0..<200 { keys.append((keys.last ?? 0) + Int64([1, 1, 1, 2, 50].randomElement(using: &random) ?? 1)) }
        keys.append(.max)
        for key in keys { runs.append(key) }
        #expect(runs.isWhole)
        for _ in 0..<50 {
            let first = (keys.randomElement(using: &random) ?? 0) &+ Int64.random(in: -2...2, using: &random)
            var found: [Int64] = []
            var next: Int64? = first
            var run = 0
            while let key = next.flatMap({ runs.key(from: $0, &run) }) {
                found.append(key)
                next = key == .max ? nil : key + 1
            }
            #expect(found == keys.filter { $0 >= first })
        }
    }

    @Test func moreRunsThanThereMayBeAreNotWhole() {
        var runs = KeyRuns(limit: 2)
        for key in [1, 2, 5, 6] as [Int64] { runs.append(key) }
        #expect(runs.isWhole)
        runs.append(8)
        #expect(!runs.isWhole)
    }
}
