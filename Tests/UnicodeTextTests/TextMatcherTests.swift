import Foundation
import TestSupport
import Testing
import UnicodeText

/// Foundation's regular expressions are those of its own copy of ICU.
@Suite struct TextMatcherTests {
    private static let pieces = [
        "a", "b", "é", ".", "[a-c]", "[^b]", "\\d", "\\w", "\\s", "\\p{L}", "(", ")", "(?:", "|", "*", "+", "?", "{2}",
        "{1,3}", "*?", "++", "^", "$", "\\b", "\\y", "\\q", "\\", "[", "]", "[[:alpha:]]", "[a&&b]", "(?i)", "(?=a)",
        "\\1", "\\x{e9}", "\\u00e9", "\\N{LATIN SMALL LETTER A}", "ß", "\\R", "\\X", "\\Q.\\E", "(?<n>a)", "\\k<n>",
        "-",
    ]

    private static let letters = Array("aabbcAB é.1_\n\tßS😀\u{301}")

    @Test(arguments: 1...4) func patternsAreThoseOfFoundation(seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        var compiled = 0
        var abandoned = 0
        for _ in 0..<1500 {
            let length = Int.random(in: 1...6, using: &random)
            let pattern = try (0..<length).map { _ in try #require(Self.pieces.randomElement(using: &random)) }.joined()
            let isCaseInsensitive = Bool.random(using: &random)
            let expected = try? NSRegularExpression(
                pattern: pattern, options: isCaseInsensitive ? .caseInsensitive : [])
            let matcher = TextMatcher(pattern, isCaseInsensitive: isCaseInsensitive)
            #expect((matcher == nil) == (expected == nil), "\(pattern)")
            guard let matcher, let expected else { continue }
            compiled += 1
            for _ in 0..<6 {
                let count = Int.random(in: 0...7, using: &random)
                let text = String(try (0..<count).map { _ in try #require(Self.letters.randomElement(using: &random)) })
                let range = NSRange(location: 0, length: text.utf16.count)
                let match = expected.firstMatch(in: text, options: .anchored, range: range) != nil
                let found = matcher.matchesStart(of: text, steps: 100)
                // An anchor that is repeated without end, as in `^++`, fills ICU's stack: Foundation calls that no match.
                if found == nil, !match { abandoned += 1 } else { #expect(found == match, "\(pattern), \(text)") }
            }
        }
        #expect(compiled > 300)
        #expect(abandoned < 20)
    }

    @Test func anEndlessMatchIsGivenUp() throws {
        let matcher = try #require(TextMatcher("(a+)+b"))
        #expect(matcher.matchesStart(of: String(repeating: "a", count: 40), steps: 20) == nil)
        #expect(matcher.matchesStart(of: "aab", steps: 20) == true)
    }

    @Test func textsOfAnyLengthAreRead() throws {
        let matcher = try #require(TextMatcher("(?:x*)\\z"))
        for length in [0, 1, 2, 1000, 100_000] {
            #expect(matcher.matchesStart(of: String(repeating: "x", count: length), steps: 1000) == true)
        }
    }

    @Test func oneMatcherServesManyTasks() async throws {
        let matcher = try #require(TextMatcher("[a-z]{3}[0-9]*\\z"))
        let results = await withTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    (0..<400).count { matcher.matchesStart(of: "abc\(number)\($0)", steps: 10) == true }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(results == 8 * 400)
    }

    /// More threads than copies that are kept: they come and go, and what is found does not depend on it.
    @Test(arguments: [1, 2, 3, 7]) func copiesOfAPatternAreKeptUpToALimit(mostIdle: Int) async throws {
        let matcher = try #require(TextMatcher("[a-z]{3}[0-9]*\\z", isCaseInsensitive: false, mostIdle: mostIdle))
        #expect(matcher.idleCount == 1)
        let results = await withTaskGroup(of: Int.self) { group in
            for number in 0..<12 {
                group.addTask {
                    (0..<300).count { attempt in
                        let text = (attempt % 2 == 0 ? "abc" : "ab") + "\(number)\(attempt)"
                        let isKept = (1...mostIdle).contains(matcher.idleCount)
                        return isKept && matcher.matchesStart(of: text, steps: 10) == (attempt % 2 == 0)
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(results == 12 * 300)
        #expect((1...mostIdle).contains(matcher.idleCount))
    }
}
