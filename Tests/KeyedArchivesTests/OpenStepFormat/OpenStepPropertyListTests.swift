import KeyedArchives
import TestSupport
import Testing

@Suite struct OpenStepPropertyListTests {
    private func read(_ text: String) throws -> PropertyListValue {
        try PropertyListReader.value(from: Array(text.utf8))
    }

    @Test func readsEveryKindOfValue() throws {
        let text = """
            // a comment
            { key = value; "quoted key" = ( a, "b\\n\\"c\\"", <0fbd 77>, ); /* another */
              nested = { path = /usr/lib; version = 1.0; empty = (); unicode = "Gr\\U00fc\\U00dfe"; octal = "\\101"; };
              integer = <*I-5>; real = <*R1.5>; yes = <*BY>; date = <*D2001-01-02 00:00:00 +0000>; none = {}; }
            """
        #expect(
            try read(text) == [
                "key": "value", "quoted key": ["a", "b\n\"c\"", .data([0x0F, 0xBD, 0x77])],
                "nested": ["path": "/usr/lib", "version": "1.0", "empty": [], "unicode": "Grüße", "octal": "A"],
                "integer": -5, "real": .real(1.5), "yes": true, "date": .date(86_400),
                "none": .dictionary(PropertyListDictionary()),
            ])
    }

    @Test func readsAStringsFile() throws {
        let text = """
            /* Localized names */
            "Entity/Person" = "Persona";
            "Property/name/Entity/Person" = "Nombre";
            Same;
            """
        #expect(
            try read(text) == [
                "Entity/Person": "Persona", "Property/name/Entity/Person": "Nombre", "Same": "Same",
            ])
    }

    @Test func dataAtTheBeginningIsNotTakenForXML() throws {
        #expect(try read("<0fbd77>") == .data([0x0F, 0xBD, 0x77]))
        #expect(try read("<da>") == .data([0xDA]))
        #expect(PropertyListReader.format(of: Array("<array/>".utf8)) == .xml)
        #expect(PropertyListReader.format(of: Array("<data></data>".utf8)) == .xml)
    }

    @Test(arguments: [
        ("{ a = b; a = c; }", PropertyListError.Code.keyRepeated), ("{ a = b", .unexpectedEnd),
        ("{ a = b }; x", .trailingContent),
        ("{ a = \"b; }", .unexpectedEnd), ("( a b )", .unexpectedCharacter), ("<0f7>", .dataInvalid),
        ("{ a = ?; }", .unexpectedCharacter),
        ("", .notAPropertyList), ("/* never closed", .unexpectedEnd), ("{ a = \"\\377\"; }", .textInvalid),
        ("{ a = \"\\Ud800\"; }", .textInvalid), ("<*Ix>", .unexpectedCharacter),
    ])
    func mistakesAreNamed(text: String, code: PropertyListError.Code) {
        do {
            let value = try OpenStepPropertyListReader.value(from: Array(text.utf8))
            Issue.record("read \(value)")
        } catch {
            #expect(error.code == code)
        }
    }

    @Test(.long) func nestingBeyondTheLimitIsAnError() {
        let text = String(repeating: "(", count: 100_000)
        #expect(throws: PropertyListError.self) { try read(text) }
    }
}
