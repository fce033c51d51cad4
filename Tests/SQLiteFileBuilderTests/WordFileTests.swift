import SQLiteFileBuilder
import TestSupport
import Testing

/// Words on disk against an array of them.
@Suite struct WordFileTests {
    /// The last words wait in memory: runs end before that is full, in the middle of it, and behind it.
    @Test(arguments: [1, 2, 7, 64, 1 << 13])
    func wordsAreReadAsTheyWereAdded(mostWaiting: Int) throws {
        var random = RandomNumbers(seed: UInt64(mostWaiting))
        let directory = try TemporaryDirectory()
        let file = try WordFile(beside: directory.file("words"), mostWaiting: mostWaiting)
        var expected: [UInt64] = []
        var found: [UInt64] = []
        for _ in 0..<200 {
            let words = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt64.random(in: .min ... .max, using: &random)
            }
            let start = Int.random(in: 0...words.count, using: &random)
            let end = Int.random(in: start...words.count, using: &random)
            try file.append(words, start..<end)
            expected += words[start..<end]
            #expect(file.count == expected.count)
            guard Bool.random(using: &random) else { continue }
            let first = Int.random(in: 0...expected.count, using: &random)
            let last = Int.random(in: first...expected.count, using: &random)
            try file.read(first..<last, into: &found)
            #expect(found == Array(expected[first..<last]))
        }
        try file.read(0..<expected.count, into: &found)
        #expect(found == expected)
        #expect(throws: BuildError.self) { try file.read(0..<expected.count + 1, into: &found) }
    }
}
