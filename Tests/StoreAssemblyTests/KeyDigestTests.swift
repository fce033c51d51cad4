import Testing

@testable import StoreAssembly

@Suite struct KeyDigestTests {
    @Test func keysThatDifferInOneBitOrInLengthHaveDigestsOfTheirOwn() {
        let digester = KeyDigester()
        var seen: [[UInt8]: KeyDigest] = [:]
        var keys: [[UInt8]] = (0...40).map { [UInt8](repeating: 0, count: $0) }
        for length in [1, 7, 8, 9, 17] {
            for bit in 0..<length * 8 {
                var key = [UInt8](repeating: 0, count: length)
                key[bit / 8] = 1 << UInt8(bit % 8)
                keys.append(key)
            }
        }
        for key in keys { seen[key] = digester.digest(of: key.span) }
        let halves = seen.values.flatMap { [$0.high, $0.low] }
        // No half of a digest is that of another key either.
        #expect(Set(halves).count == keys.count * 2)
        for key in keys { #expect(seen[key] == digester.digest(of: key.span)) }
    }
}
