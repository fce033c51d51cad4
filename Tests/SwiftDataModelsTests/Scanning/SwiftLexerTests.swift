import TestSupport
import Testing

@testable import SwiftDataModels

@Suite struct SwiftLexerTests {
    /// The texts of the tokens.
    private func tokens(_ text: String) -> [String] {
        var lexer = SwiftLexer(Array(text.utf8))
        var result: [String] = []
        while true {
            let token = lexer.next()
            if token.kind == .end { return result }
            result.append(lexer.text(token.range))
        }
    }

    @Test(arguments: [
        (#""a } b" x"#, [#""a } b""#, "x"]),
        (#""a \("b } \(c)") d" x"#, [#""a \("b } \(c)") d""#, "x"]),
        (##"#"a " \( } "# x"##, [##"#"a " \( } "#"##, "x"]),
        (##"#"a \#(f(")")) } "# x"##, [##"#"a \#(f(")")) } "#"##, "x"]),
        ("\"\"\"\n a \" } \"\" {\n \"\"\" x", ["\"\"\"\n a \" } \"\" {\n \"\"\"", "x"]),
        ("/* a /* b } */ c */ x // y }\nz", ["x", "z"]),
        ("\"not closed\nx", ["\"not closed", "x"]),
        ("a = /[\"}]+/ x", ["a", "=", "/[\"}]+/", "x"]),
        ("a = #/[\"}]+/# x", ["a", "=", "#/[\"}]+/#", "x"]),
        ("a / b / c", ["a", "/", "b", "/", "c"]),
        ("`class` #if @Model", ["class", "#if", "@", "Model"]),
        ("1_000 0xFF 1.5e-3 1...3", ["1_000", "0xFF", "1.5e-3", "1", ".", ".", ".", "3"]),
        ("() -> Int", ["(", ")", "->", "Int"]),
        ("größe = 1", ["größe", "=", "1"]),
        ("#!/usr/bin/swift }\nx", ["x"]),
    ])
    func tokensAreCutWhereSwiftCutsThem(_ text: String, _ expected: [String]) {
        #expect(tokens(text) == expected)
    }

    @Test
    func placesAreCountedInLinesAndBytes() {
        var lexer = SwiftLexer(Array("a\n\"\"\"\n\"\"\"\n  /*\n*/ b".utf8))
        _ = lexer.next()
        #expect(lexer.next().line == 2)
        let last = lexer.next()
        #expect(last.line == 5)
        #expect(last.isFirstOfLine)
        #expect(last.range.lowerBound - last.lineStart == 3)
    }

    @Test(.long)
    func deepNestingTakesNoStack() {
        let count = 100_000
        let comment = String(repeating: "/*", count: count) + String(repeating: "*/", count: count)
        let string = String(repeating: "\"\\(", count: count)
        let brackets = String(repeating: "[", count: count)
        #expect(tokens(comment + " x") == ["x"])
        #expect(tokens(string).count == 1)
        #expect(tokens(brackets).count == count)
        _ = scanned("struct A { " + String(repeating: "struct B { ", count: 2000))
        _ = scanned("let x = " + brackets)
    }
}
