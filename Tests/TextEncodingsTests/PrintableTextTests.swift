import Testing
import TextEncodings

@Suite struct PrintableTextTests {
    @Test(arguments: [
        ("plain text, ä, 漢, 👍", "plain text, ä, 漢, 👍"), ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("\u{1B}[31mred\u{7}", "\\u001B[31mred\\u0007"), ("\u{9B}31m\u{7F}", "\\u009B31m\\u007F"),
        ("a\rb\u{0}", "a\\u000Db\\u0000"), ("\u{202E}txt.exe", "\\u202Etxt.exe"), ("", ""),
    ])
    func whatATerminalWouldObeyIsEscaped(_ text: String, _ escaped: String) {
        #expect(PrintableText.escaped(text) == escaped)
    }

    @Test func aLineHasNoEnds() {
        #expect(PrintableText.line("a\nb\tc\u{1B}") == "a\\nb\\tc\\u001B")
    }
}
