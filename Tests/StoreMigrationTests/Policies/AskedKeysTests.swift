import TestSupport
import Testing

@testable import StoreMigration

@Suite struct AskedKeysTests {
    /// Answers in any order, several for a key, and some for keys that no one asked about; sets say what comes out.
    @Test func answersInAnyOrderAreNotedAsSetsWould() {
        var random = RandomNumbers(seed: 5)
        for count in [0, 1, 2, 3, 7, 40] {
            for _ in 0..<50 {
                let keys = Set((0..<count).map { _ in Int64.random(in: -20...60, using: &random) }).sorted()
                var asked = AskedKeys(keys)
                var answered: Set<Int64> = []
                var made: Set<Int64> = []
                for _ in 0..<count * 2 + 2 {
                    let key = Int64.random(in: -22...62, using: &random)
                    let isAsked = asked.answer(key)
                    #expect(isAsked == keys.contains(key))
                    guard isAsked else { continue }
                    answered.insert(key)
                    if Bool.random(using: &random) {
                        let (isFirst, isExpected) = (asked.make(key), made.insert(key).inserted)
                        #expect(isFirst == isExpected)
                    }
                    #expect(asked.missing == keys.first { !answered.contains($0) })
                }
                for key in keys {
                    let isAsked = asked.answer(key)
                    #expect(isAsked)
                }
                #expect(asked.missing == nil)
            }
        }
    }
}
