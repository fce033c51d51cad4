import Foundation
import TestSupport
import Testing
import UnicodeText

/// Foundation's folding is CoreFoundation's own code.
@Suite struct UnicodeFoldingTests {
    private static let ways: [(FoldingOptions, String.CompareOptions)] = [
        (.caseInsensitive, .caseInsensitive), (.diacriticInsensitive, .diacriticInsensitive),
        ([.caseInsensitive, .diacriticInsensitive], [.caseInsensitive, .diacriticInsensitive]),
    ]

    private static func expectSame(_ text: String) {
        for (options, others) in ways {
            let folded = UnicodeFolding.folded(text, options)
            let expected = text.folding(options: others, locale: nil)
            #expect(
                folded.unicodeScalars.elementsEqual(expected.unicodeScalars),
                "\(text.unicodeScalars.map { String($0.value, radix: 16) }), \(options.rawValue)")
        }
    }

    @Test(arguments: [
        ("Straße", FoldingOptions.caseInsensitive, "strasse"), ("Éclair", .diacriticInsensitive, "Eclair"),
        ("smørbrød", .diacriticInsensitive, "smørbrød"), ("ΟΔΟΣ", .caseInsensitive, "οδοσ"),
        ("が", .diacriticInsensitive, "が"), ("", .caseInsensitive, ""), ("\u{0}A", .caseInsensitive, "\u{0}a"),
    ])
    func examples(text: String, options: FoldingOptions, folded: String) {
        #expect(UnicodeFolding.folded(text, options) == folded)
    }

    /// Each scalar of the planes that have letters and marks, alone and after a letter.
    @Test(arguments: 0..<4) func everyScalar(quarter: UInt32) {
        let scalars = (UInt32(0)..<0x1F700).compactMap(Unicode.Scalar.init)
        // Together, since a call takes longer than a letter; what is between them belongs to no other.
        for block in stride(from: Int(quarter) * 32, to: scalars.count, by: 4 * 32) {
            var text = String.UnicodeScalarView()
            for scalar in scalars[block..<min(block + 32, scalars.count)] {
                text.append(contentsOf: ["\n", scalar, "\n", "a", scalar])
            }
            Self.expectSame(String(text))
        }
    }

    @Test(arguments: 1...4) func randomTexts(seed: UInt64) {
        var random = RandomNumbers(seed: seed)
        let alphabet = FoldingAlphabet()
        for _ in 0..<1500 { Self.expectSame(alphabet.text(longest: 12, &random)) }
    }

    /// More marks than are taken together with a letter.
    @Test(arguments: 1...3) func longRunsOfMarks(seed: UInt64) {
        var random = RandomNumbers(seed: seed)
        let alphabet = FoldingAlphabet()
        for _ in 0..<60 {
            Self.expectSame(alphabet.text(longest: 2, &random) + alphabet.marks(longest: 150, &random))
        }
    }
}
