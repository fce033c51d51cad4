import DocumentReading
import ImportTestSupport
import TestSupport
import Testing

@testable import ImportMappings

@Suite struct ImportMappingErrorTests {
    private func errors(_ yaml: String) -> [String] {
        do throws(DocumentErrors) {
            _ = try ImportMappingReader.read(bytes: Array(yaml.utf8), name: "m")
            return []
        } catch {
            return error.errors.map { "\($0.location): \($0.sentence)" }
        }
    }

    static let cases: [(yaml: String, errors: [String])] = [
        ("", ["m:1:1: the document is empty"]),
        (
            "import: 1\nentity: [",
            ["m:3:1: not well formed: did not find expected node content (while parsing a flow node from line 3)"]
        ),
        ("- a", ["m:1:1: an import mapping must be keys with values, written as \"key: value\""]),
        ("entity: A", ["m:1:1: an import mapping begins with \"import: 1\""]),
        (
            "mapping: 1\nentities: []",
            [
                "m:1:1: this is a mapping model for migrations; an import mapping begins with \"import: 1\""
            ]
        ),
        ("import: 2", ["m:1:9: the format \"2\" is not known; this program reads \"import: 1\""]),
        ("import: 1", ["m:1:1: an object needs an \"entity\"; name its entity"]),
        ("import: 1\nsources: []", ["m:2:10: \"sources\" has no items; add one, or remove the key"]),
        ("import: 1\nsources: A", ["m:2:10: \"sources\" must be a list, each item after \"- \""]),
        ("import: 1\nentity: A\nsources: [{entity: B}]", ["m:2:1: \"entity\" belongs in one of the sources"]),
        (
            "import: 1\nentitty: A\nentity: A\natributes: {}",
            [
                "m:2:1: an import mapping has no key \"entitty\"; did you mean \"entity\"?",
                "m:4:1: an import mapping has no key \"atributes\"; did you mean \"attributes\"?",
            ]
        ),
        (
            "import: 1\nentity: A\neach: 'items.*'",
            ["m:3:1: an import mapping has no key \"each\"; what of a document are records is said by \"records\""]
        ),
        ("import: 1\nentity:", ["m:2:8: \"entity\" is missing; write it after the colon, or remove the key"]),
        ("import: 1\nentity: [A]", ["m:2:9: \"entity\" must be a single value"]),
        (
            "import: 1\nentity: A\nonMatch: upsert",
            ["m:3:10: \"onMatch\" cannot be \"upsert\"; write update, fill, skip or error"]
        ),
        (
            "import: 1\nentity: A\nonMissing: no",
            ["m:3:12: \"onMissing\" cannot be \"no\"; write create, skip or error"]
        ),
        ("import: 1\nentity: A\nkey: [a, b, a]", ["m:3:6: \"key\" names \"a\" twice"]),
        ("import: 1\nentity: A\nheader: maybe", ["m:3:9: \"header\" must be true or false"]),
        ("import: 1\nentity: A\nskipLines: -1", ["m:3:12: \"skipLines\" must be a whole number, 0 or more"]),
        ("import: 1\nentity: A\nquote: ab", ["m:3:8: \"quote\" must be one ASCII character, or none"]),
        ("import: 1\nentity: A\ncolumns: [a, a]", ["m:3:10: \"columns\" names \"a\" twice"]),
        (
            "import: 1\nentity: A\nformat: xml\ndelimiter: ';'",
            [
                "m:4:1: \"delimiter\" is not for the format xml; remove it"
            ]
        ),
        (
            "import: 1\nentity: A\ntable: t\nquote: none",
            [
                "m:4:1: \"quote\", \"table\" are keys of different formats; name the \"format\""
            ]
        ),
        ("import: 1\nentity: A\ntable: t\nquery: q", ["m:4:1: \"query\" and \"table\" exclude each other; remove one"]),
        (
            "import: 1\nentity: A\nattributes: {a: {}}",
            [
                "m:3:17: the attribute \"a\" needs \"from\", \"constant\", \"text\" or \"expression\""
            ]
        ),
        (
            "import: 1\nentity: A\nattributes: {a: {form: b}}",
            [
                "m:3:17: the attribute \"a\" needs \"from\", \"constant\", \"text\" or \"expression\"",
                "m:3:18: the attribute \"a\" has no key \"form\"; did you mean \"from\"?",
            ]
        ),
        (
            "import: 1\nentity: A\nattributes: {a: {from: b, constant: c}}",
            [
                "m:3:27: \"constant\" and \"from\" exclude each other; remove one"
            ]
        ),
        (
            "import: 1\nentity: A\nattributes: {a: {constant: c, default: d}}",
            [
                "m:3:31: a constant is never missing; remove \"default\""
            ]
        ),
        (
            "import: 1\nentity: A\nattributes: {a: {from: b, columns: {}}}",
            [
                "m:3:27: \"columns\" is for \"expression\"; remove it"
            ]
        ),
        (
            "import: 1\nentity: A\nattributes: {a: {text: 'x {b'}}",
            [
                "m:3:27: this brace is not closed; add \"}\", or write \"{{\" for a brace in the text"
            ]
        ),
        (
            "import: 1\nentity: A\nattributes: {a: {text: x}}",
            [
                "m:3:24: this text has no column; write one in braces, or use \"constant\""
            ]
        ),
        (
            "import: 1\nentity: A\nattributes:\n  a: {expression: b +* c}",
            [
                "m:4:22: the expression cannot be used: column 4: this does not fit here; check what comes before it "
                    + "(found \"*\")"
            ]
        ),
        (
            "import: 1\nentity: A\nattributes:\n  a: {expression: $x + 1}",
            [
                "m:4:19: the expression has the variable $x, which a record does not have; use columns, constants and functions"
            ]
        ),
        (
            "import: 1\nentity: A\nattributes:\n  a: {expression: price + 1, columns: {prise: P}}",
            [
                "m:4:40: the expression has no name \"prise\"; did you mean \"price\"?"
            ]
        ),
        (
            "import: 1\nentity: A\nattributes:\n  a: {from: b, date: dd.foo}",
            [
                "m:4:22: the date format 'dd.foo' cannot be used: the letter 'f' has no meaning that can be read; "
                    + "quote it if it is text"
            ]
        ),
        (
            "import: 1\nentity: A\nsettings: {timeZone: Mars}",
            [
                "m:3:22: the time zone \"Mars\" is not known; write a name such as Europe/Berlin, or an offset such as +01:00"
            ]
        ),
        (
            "import: 1\nentity: A\nrelationships: {r: [a]}",
            ["m:3:20: the column of the relationship \"r\" must be a single value"]
        ),
        (
            "import: 1\nentity: A\nrelationships: {r: {by: {}}}",
            [
                "m:3:25: \"by\" names no attribute; name one with its column"
            ]
        ),
        (
            "import: 1\nentity: A\nrelationships: {r: {by: {a: b}, from: c}}",
            [
                "m:3:33: \"from\" belongs to one of the attributes in \"by\""
            ]
        ),
        (
            "import: 1\nentity: A\nrelationships: {r: {by: {a: b, c: d}, separator: ;}}",
            [
                "m:3:50: keys of several parts cannot be in one string; remove \"separator\""
            ]
        ),
        (
            "import: 1\nentity: A\nrelationships: {r: {object: other, onMissing: create}}",
            [
                "m:3:29: no object of this source has the id \"other\"; give it to one as \"id\"",
                "m:3:36: the relationship \"r\" with \"object\" has no key \"onMissing\"",
            ]
        ),
        (
            "import: 1\nentity: A\nrelationships: {r: {each: 'a[', entity: B}}",
            [
                "m:3:27: the path 'a[' cannot be used: the '[' is not closed at character 2"
            ]
        ),
        (
            "import: 1\nobjects: [{id: a, entity: A}, {id: a, entity: B}]",
            [
                "m:2:31: the id \"a\" is given twice; rename one"
            ]
        ),
        (
            "import: 1\nobjects: [{id: dept, entity: A}, {entity: B, relationships: {r: {object: detp}}}]",
            [
                "m:2:74: no object of this source has the id \"detp\"; did you mean \"dept\"?"
            ]
        ),
        (
            "import: 1\nobjects: [{id: a, in: b, entity: A}, {id: b, in: a, entity: B}]",
            [
                "m:2:11: this part contains itself; change \"in\""
            ]
        ),
        ("import: 1\nentity: A\nobjects: [{entity: A}]", ["m:2:1: \"entity\" belongs in one of the \"objects\""]),
        ("import: 1\nentity: A\nwhere: {}", ["m:3:8: a filter needs a column with its values"]),
        (
            "import: 1\nentity: A\nwhere: {A: {is: 1, not: 2}}",
            [
                "m:3:12: the condition on \"A\" needs one of \"is\", \"not\" and \"present\""
            ]
        ),
        (
            "import: 1\nentity: A\nwhere: {any of: {A: 1}}",
            ["m:3:17: \"any of\" must be a list, each item after \"- \""]
        ),
    ]

    @Test(arguments: cases.indices) func everyErrorSaysWhatIsWrongAndWhere(index: Int) {
        #expect(errors(Self.cases[index].yaml) == Self.cases[index].errors)
    }

    @Test func severalErrorsAreShownWithTheirLinesAndCarets() throws {
        let yaml = "import: 1\nentity: A\nattributs: {a: b}\nonMatch: updte\n"
        let error = #expect(throws: DocumentErrors.self) { try ImportMapping(yaml: yaml) }
        #expect(
            error?.description == """
                mapping.yaml:3:1: an import mapping has no key "attributs"; did you mean "attributes"?
                attributs: {a: b}
                ^
                mapping.yaml:4:10: "onMatch" cannot be "updte"; did you mean "update"?
                onMatch: updte
                         ^
                """)
    }

    @Test func moreErrorsThanAnyoneReadsAreCounted() {
        let yaml = "import: 1\nentity: A\n" + (0..<50).map { "x\($0)zzzz: 1\n" }.joined()
        let error = #expect(throws: DocumentErrors.self) { try ImportMapping(yaml: yaml) }
        #expect(error?.errors.count == 50)
        #expect(error?.description.hasSuffix("and 30 more errors") == true)
    }

    @Test func aFileThatIsNotThereIsAnErrorOfItsOwn() throws {
        let directory = try TemporaryDirectory()
        let error = #expect(throws: DocumentErrors.self) {
            try ImportMappingReader.read(path: directory.file("none.yaml"))
        }
        #expect(error?.errors.first?.code == .unreadable)
    }

    @Test func aliasesThatMultiplyAreRefused() {
        var yaml = "import: 1\nentity: A\nattributes:\n  a: &a {from: x}\n"
        for (last, next) in zip("abcdefgh", "bcdefghi") {
            yaml += "  \(next): &\(next) [" + Array(repeating: "*\(last)", count: 9).joined(separator: ", ") + "]\n"
        }
        let error = #expect(throws: DocumentErrors.self) { try ImportMapping(yaml: yaml) }
        #expect(error?.errors.first?.code == .tooLarge)
    }

    @Test func noBytesMakeTheReaderFailOtherwiseThanByAnError() throws {
        let seed = Array(
            """
            import: 1
            settings: {date: dd.MM.yyyy, nullTokens: [a, b]}
            sources:
              - files: [a*.csv, b.csv]
                where: {any of: [{A: 1}, {B: {present: true}}]}
                entity: A
                key: [x, y]
                attributes: {a: b, c: {expression: d + 1, columns: {d: e}}, f: {text: '{g} {h}'}}
                relationships:
                  r: {by: {a: b}, onMissing: create}
                  s: {each: 'x[*]', entity: B, relationships: {t: {entity: C, attributes: [u]}}}
            """.utf8)
        var random = RandomNumbers(seed: 7)
        let alphabet = Array(":,[]{}-#&*!|>'\"%@ \n\tabx1\u{0}".utf8) + [0xFF, 0xC3]
        for _ in 0..<1500 {
            var bytes = seed
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                case 1: bytes.insert(alphabet[Int.random(in: 0..<alphabet.count, using: &random)], at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1..<9, using: &random)))
                }
            }
            do throws(DocumentErrors) {
                let document = try ImportMappingReader.read(bytes: bytes, name: "m")
                // What is accepted can be written, and means the same.
                let text = ImportMappingWriter.yaml(document.mapping)
                let again = try ImportMappingReader.read(bytes: Array(text.utf8), name: "again")
                #expect(again.mapping == document.mapping, "\(String(decoding: bytes, as: UTF8.self))\n----\n\(text)")
            } catch {
                #expect(!error.errors.isEmpty)
                #expect(!error.description.isEmpty)
            }
        }
    }
}
