import Foundation
import Testing

@testable import StoreFixtures

@Suite struct TextPatternTests {
    static let patterns = [
        "abc", "[A-Z]{3}-\\d{4}", "\\d{3}[- ]?\\d{2}", "(red|green|blue)", "(?:Mr|Ms)\\.? [A-Z][a-z]+", ".+@.+",
        "[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,4}", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "\\p{Lu}\\p{Ll}*",
        "[^0-9]{2,5}", "a*b+c?", "(ab){2,3}", "\\$\\d+\\.\\d\\d", "[[:alpha:]]{2}", "\\x41\\u0042", "\\Qa.b\\E",
        "x{0}y",
        "(?i)yes|no", "[\\w-]{8}", "#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})", "(?<area>\\d{3}) \\d+", "[a-z&&[aeiou]]{3}",
        "\\+?[0-9 ]{6,14}", "[]a]b", "[a-]c", "\\A\\S+\\z", "(\\d{1,3}\\.){3}\\d{1,3}", "", "a||b", "[äöü]ß*",
        "\\bword\\b",
        "a{2,}?b++", "[^\\s]{4}", "\\D\\W\\s", "[[:^digit:]]{2}",
    ]

    @Test(arguments: patterns) func itsTextsMatch(_ pattern: String) throws {
        let made = try GeneratedPattern(pattern)
        let expression = try NSRegularExpression(pattern: "^(?:\(pattern))\\z")
        func matches(_ text: String) -> Bool {
            expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
        }
        var random = SeededNumbers(7)
        for spread in [0, 1, 3, 10] {
            for _ in 0..<20 {
                let text = made.text(spread: spread, &random)
                #expect(matches(text), "\(text.debugDescription) for \(pattern)")
            }
            let rigid = made.rigid(spread: spread)
            let texts = (0..<min(rigid.capacity, 200)).map { rigid.text($0) }
            #expect(texts.allSatisfy(matches))
            #expect(Set(texts).count == texts.count, "\(pattern)")
        }
    }

    @Test(arguments: [
        "(a)\\1", "(", ")", "[", "a{", "a{3,1}", "[z-a]", "\\p{Sundanese}", "(?x)a b", "\\", "[\\d&&[a]]", "a{x}",
    ])
    func whatItCannotMakeIsAFault(_ pattern: String) {
        #expect(throws: PatternFault.self) { try GeneratedPattern(pattern) }
    }

    @Test func hostilePatternsEndQuickly() throws {
        for pattern in [
            String(repeating: "(", count: 10_000), "((((((a{1000}){1000}){1000}){1000}){1000}){1000})",
            "a{0,2147483647}",
            String(repeating: "[", count: 10_000), "(a{9223372036854775807})+",
        ] {
            guard let made = try? GeneratedPattern(pattern) else { continue }
            var random = SeededNumbers(1)
            #expect(made.text(spread: 50, &random).utf16.count < 100_000)
            #expect(made.rigid(spread: 50).places.count < 100_000)
        }
    }
}
