import Testing

@testable import CommandLineParsing

@Suite struct SuggestionTests {
    private let commands = ["migrate", "import", "inspect", "infer", "diff"]

    @Test(arguments: [
        ("migarte", "migrate"), ("imprt", "import"), ("Import", "import"), ("dif", "diff"), ("difff", "diff"),
        ("inspekt", "inspect"), ("ifner", "infer"),
    ])
    func aSlipIsFound(word: String, meant: String) {
        #expect(Suggestion.nearest(to: word, among: commands) == meant)
    }

    @Test(arguments: ["", "x", "export-all", "di", "zzzzzz"])
    func aWordFarFromAllIsNot(word: String) {
        #expect(Suggestion.nearest(to: word, among: commands) == nil)
    }

    @Test func aVeryLongWordCostsNothing() {
        #expect(Suggestion.nearest(to: String(repeating: "m", count: 1_000_000), among: commands) == nil)
    }

    @Test(arguments: [("", "", 0), ("abc", "", 3), ("", "abc", 3), ("abc", "acb", 1), ("kitten", "sitting", 3)])
    func theDistanceCountsEdits(left: String, right: String, distance: Int) {
        #expect(Suggestion.distance(Array(left.unicodeScalars), Array(right.unicodeScalars)) == distance)
    }
}
