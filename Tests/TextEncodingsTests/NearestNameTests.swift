import Testing

@testable import TextEncodings

@Suite struct NearestNameTests {
    private let commands = ["migrate", "import", "inspect", "infer", "diff"]

    @Test(arguments: [
        ("migarte", "migrate"), ("imprt", "import"), ("Import", "import"), ("dif", "diff"), ("difff", "diff"),
        ("inspekt", "inspect"), ("ifner", "infer"),
    ])
    func aSlipIsFound(word: String, meant: String) {
        #expect(NearestName.find(word, among: commands) == meant)
    }

    @Test(arguments: ["", "x", "export-all", "di", "zzzzzz"])
    func aWordFarFromAllIsNot(word: String) {
        #expect(NearestName.find(word, among: commands) == nil)
    }

    @Test func aVeryLongWordCostsNothing() {
        #expect(NearestName.find(String(repeating: "m", count: 1_000_000), among: commands) == nil)
    }

    @Test(arguments: [("", "", 0), ("abc", "", 3), ("", "abc", 3), ("abc", "acb", 1), ("kitten", "sitting", 3)])
    func theDistanceCountsEdits(left: String, right: String, distance: Int) {
        #expect(NearestName.distance(Array(left.unicodeScalars), Array(right.unicodeScalars)) == distance)
    }
}
