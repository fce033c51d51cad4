import Testing

@Suite struct PrintedTextTests {
    @Test(
        arguments: [
            (["a", "b"], "a\nb\n", true), (["a"], "a\nb\n", false), (["a", "..."], "a\nb\nc\n", true),
            (["...", "c"], "a\nb\nc\n", true), (["a", "...", "c"], "a\nc\n", true),
            (["a", "...", "d"], "a\nb\nc\n", false),
            (["..."], "", true), (["took … s"], "took 12.5 s\n", true), (["took …"], "took 12.5 s\n", true),
            (["took … s"], "took 12.5 ms!\n", false), (["a", "", "b"], "a\n\nb\n", true), ([], "a\n", false),
        ] as [([String], String, Bool)])
    func dotsStandForWhatVaries(shown: [String], output: String, isMatch: Bool) {
        #expect(PrintedText(shown: shown).matches(output) == isMatch)
    }
}
