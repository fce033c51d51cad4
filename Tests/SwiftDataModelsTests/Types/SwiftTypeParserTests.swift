import ManagedObjectModels
import Testing

@testable import SwiftDataModels

@Suite struct SwiftTypeParserTests {
    @Test(arguments: [
        ("Int", "Int"), ("Swift.Int?", "Int?"), ("Optional<Array<String>>", "[String]?"), ("[ A.B ]", "[A.B]"),
        ("[String : [Int]]", "[String: [Int]]"), ("Set<UUID>", "Set<UUID>"), ("(Int)", "Int"), ("Int!", "Int?"),
        ("(Int, Int)", "(Int, Int)"), ("any P", "any P"), ("A<B>", "A<B>"), ("() -> Void", "() -> Void"),
        ("A & B", "A & B"), ("`Type`", "Type"), ("Foundation.Date", "Date"),
    ])
    func typesAreReadAsWritten(_ text: String, _ expected: String) {
        #expect("\(SwiftTypeParser.type(text))" == expected)
    }

    @Test
    func veryDeepTypesAreNotTakenApart() {
        let text = String(repeating: "[", count: 10_000) + "Int" + String(repeating: "]", count: 10_000)
        guard case .other = SwiftTypeParser.type(text) else { return #expect(Bool(false)) }
    }

    @Test(arguments: [
        ("true", "Bool"), ("-1", "Int"), ("0x1E", "Int"), ("1e3", "Double"), ("1.5", "Double"), ("\"x\"", "String"),
        ("UUID()", "UUID"), ("Date.init()", "Date"), ("[String]()", "[String]"), ("[String: Int]()", "[String: Int]"),
        ("Set<String>()", "Set<String>"), ("Data(count: 1)", "Data"),
    ])
    func initialValuesTellTypes(_ text: String, _ expected: String) {
        #expect(SwiftInitialValue(text).type.map { "\($0)" } == expected)
    }

    @Test(arguments: [
        "make()", "1 + 2", "[]", "nil", "Date().addingTimeInterval(1)", "x ? 1 : 2", "\"a\" + b", ".init()",
    ])
    func otherExpressionsDoNot(_ text: String) {
        #expect(SwiftInitialValue(text).type == nil)
    }

    @Test
    func literalsHaveTheirValues() {
        #expect(SwiftLiteral.integer("-1_000") == -1000)
        #expect(SwiftLiteral.integer("0xFF") == 255)
        #expect(SwiftLiteral.integer("99999999999999999999") == nil)
        #expect(SwiftLiteral.string(#""a\n\u{e9}\"""#) == "a\né\"")
        #expect(SwiftLiteral.string(##"#"a\n"#"##) == "a\\n")
        #expect(SwiftLiteral.string(#""a\(b)""#) == nil)
        #expect(SwiftInitialValue("300").literal(of: .integer16) == .integer(300))
        #expect(SwiftInitialValue("70000").literal(of: .integer16) == nil)
    }
}
