import Testing

@testable import ModelDiagrams

@Suite struct InversionsTests {
    /// Numbers of a linear congruential generator, with many that are equal.
    @Test(arguments: 0..<40)
    func pairsInTheWrongOrderAreCounted(count: Int) {
        var state: UInt64 = 7
        let numbers = (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 60)
        }
        var expected = 0
        for (place, first) in numbers.enumerated() {
            expected += numbers[(place + 1)...].count { $0 < first }
        }
        #expect(Inversions.count(numbers) == expected)
    }
}
