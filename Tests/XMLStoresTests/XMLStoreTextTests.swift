import Testing

@testable import XMLStores

@Suite struct XMLStoreTextTests {
    @Test(arguments: [
        ("messageID \\u3c00 10000", "messageID < 10000"),
        ("ads.@count\\u3e001", "ads.@count>1"),
        ("\\u11ff", "\u{FF11}"),
        ("\\u3dd800de", "\u{FFFD}00de"),
        ("\\u3dd8\\u00de", "\u{1F600}"),
        ("back\\slash, \\u12, \\uzzzz", "back\\slash, \\u12, \\uzzzz"),
    ])
    func escapesAreUndone(_ escaped: String, _ text: String) {
        #expect(XMLStoreText.unescaped(escaped) == text)
    }

    @Test(arguments: [
        "", "plain", "a < b & c > d", "\\u3c00", "\\", "tab\tline\nend", "\u{0}\u{1}\r", "日本語 \u{1F600}", "\u{FFFE}",
    ])
    func whatIsEscapedComesBack(_ text: String) {
        let escaped = XMLStoreText.escaped(text)
        #expect(XMLStoreText.unescaped(escaped) == text)
        #expect(!escaped.contains(where: { "<>&\r\u{0}".contains($0) }))
    }
}
