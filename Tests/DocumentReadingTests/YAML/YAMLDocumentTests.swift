import DocumentReading
import Testing
import TestSupport

@Suite
struct YAMLDocumentTests {
    private func document(_ text: String, limits: YAMLReadingLimits = YAMLReadingLimits()) throws -> YAMLDocument {
        try YAMLDocument(bytes: Array(text.utf8), name: "test.yaml", limits: limits)
    }

    private func failure(_ text: String, limits: YAMLReadingLimits = YAMLReadingLimits()) -> DocumentError? {
        failure(Array(text.utf8), limits: limits)
    }

    private func failure(_ bytes: [UInt8], limits: YAMLReadingLimits = YAMLReadingLimits()) -> DocumentError? {
        do {
            _ = try YAMLDocument(bytes: bytes, name: "test.yaml", limits: limits)
            return nil
        } catch {
            return error
        }
    }

    @Test
    func mappingsKeepTheOrderOfTheirKeysSequencesThatOfTheirNodes() throws {
        let root = try document("zeta: 1\nalpha:\n  - a\n  - [b, c]\n\"last key\": {x: y}\n").root
        #expect(root.mapping?.map(\.key) == ["zeta", "alpha", "last key"])
        #expect(root["alpha"]?.sequence?.count == 2)
        #expect(root["alpha"]?.sequence?.last?.sequence?.compactMap(\.text) == ["b", "c"])
        #expect(root["last key"]?["x"]?.text == "y")
        #expect(root["missing"] == nil)
    }

    @Test
    func everyKeyAndNodeKnowsItsPlace() throws {
        let root = try document("a: 1\nbé:   [x,\n      日本, z]\n").root
        let entry = try #require(root.mapping?.last)
        #expect(entry.keyLocation.description == "test.yaml:2:1")
        #expect(entry.value.location.description == "test.yaml:2:7")
        #expect(entry.value.sequence?.last?.location.description == "test.yaml:3:11")
    }

    @Test
    func scalarsHaveAStyleAndOnlyPlainOnesAreMoreThanText() throws {
        let root = try document(
            """
            plain: 12
            quoted: "12"
            single: 'no'
            tagged: !!str 12
            literal: |
              two
              lines
            folded: >
              one
              line
            nothing:
            tilde: ~
            yes: true
            hex: 0xff
            real: 1.5e3
            infinite: -.inf
            name: inf
            zero: "a\\0b"
            """
        ).root
        #expect(root["plain"]?.integer == 12)
        #expect(root["plain"]?.text == "12")
        #expect(root["quoted"]?.integer == nil)
        #expect(root["single"]?.text == "no")
        #expect(root["tagged"]?.integer == nil)
        #expect(root["tagged"]?.tag == "tag:yaml.org,2002:str")
        #expect(root["literal"]?.text == "two\nlines\n")
        #expect(root["folded"]?.text == "one line\n")
        #expect(root["nothing"]?.isNull == true)
        #expect(root["tilde"]?.isNull == true)
        #expect(root["yes"]?.boolean == true)
        #expect(root["hex"]?.integer == 255)
        #expect(root["real"]?.number == 1500)
        #expect(root["infinite"]?.number == -.infinity)
        #expect(root["name"]?.number == nil)
        #expect(root["zero"]?.text == "a\0b")
        if case .scalar(_, let style)? = root["literal"]?.content { #expect(style == .literal) }
    }

    @Test
    func anAliasStandsForItsAnchorsNode() throws {
        let root = try document("base: &b {x: 1}\nother: *b\nlist: [*b, *b]\n").root
        #expect(root["other"]?["x"]?.integer == 1)
        #expect(root["list"]?.sequence?.count == 2)
        #expect(root["other"]?.location.line == 1)
    }

    @Test(
        arguments: [
            ("", .empty, "test.yaml:1:1"),
            ("# only a comment\n", .empty, "test.yaml:2:1"),
            ("a: 1\na: 2\n", .duplicateKey, "test.yaml:2:1"),
            ("1: a\n\"1\": b\n", .duplicateKey, "test.yaml:2:1"),
            ("a: *nowhere\n", .unknownAlias, "test.yaml:1:4"),
            ("a: &self [*self]\n", .unknownAlias, "test.yaml:1:11"),
            ("a: 1\n---\nb: 2\n", .severalDocuments, "test.yaml:2:1"),
            ("? [a, b]\n: c\n", .unsupportedKey, "test.yaml:1:3"),
            ("a: [1, 2\nb: 3\n", .malformed, "test.yaml:2:2"),
            ("a: \"open\n", .malformed, "test.yaml:2:1"),
            ("\ta: 1\n", .malformed, "test.yaml:1:1"),
        ] as [(String, DocumentError.Code, String)])
    func errorsSayWhatIsWrongAndWhere(text: String, code: DocumentError.Code, place: String) {
        let error = failure(text)
        #expect(error?.code == code)
        #expect(error?.location.description == place)
    }

    @Test(arguments: [("a:\n\tb: 1\n", 2), ("a:\n  b: 1\n \tc: 2\n", 3)])
    func aTabBeforeAWordIsToldAsWhatItIs(text: String, line: Int) {
        let error = failure(text)
        #expect(error?.sentence.contains("YAML forbids tabs") == true)
        #expect(error?.location.line == line && error?.location.column != nil)
    }

    @Test
    func anErrorShowsTheLineWithACaret() {
        #expect(
            failure("entities:\n  Person: 1\n  Person: 2\n")?.description == """
                test.yaml:3:3: the key "Person" is given twice; remove one
                  Person: 2
                  ^
                """)
    }

    @Test
    func aUsersOwnErrorPointsIntoTheDocumentToo() throws {
        let document = try document("a: 1\nb: red\n")
        let node = try #require(document.root["b"])
        #expect(
            document.error("a number is needed here", at: node.location).description == """
                test.yaml:2:4: a number is needed here
                b: red
                   ^
                """)
    }

    @Test
    func aliasesCannotExpandWithoutEnd() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<20 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        #expect(failure(text)?.code == .tooLarge)
        var deep = "a0: &a0 [x]\n"
        for level in 1..<200 { deep += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        #expect(failure(deep)?.code == .tooDeep)
    }

    @Test
    func sizeNestingAndNodeCountAreLimited() {
        #expect(failure(String(repeating: "[", count: 100_000))?.code == .tooDeep)
        #expect(failure("[[[1]]]", limits: YAMLReadingLimits(maximumDepth: 2))?.code == .tooDeep)
        #expect(failure("[[1]]", limits: YAMLReadingLimits(maximumDepth: 2)) == nil)
        #expect(failure("[1, 2, 3]", limits: YAMLReadingLimits(maximumNodeCount: 3))?.code == .tooLarge)
        #expect(failure("[1, 2, 3]", limits: YAMLReadingLimits(maximumNodeCount: 4)) == nil)
        #expect(failure("a: 1", limits: YAMLReadingLimits(maximumSize: 3))?.code == .tooLarge)
    }

    @Test
    func bytesThatAreNoUTF8AndControlCharactersAreRefusedWithTheirPlace() {
        let invalid = failure(Array("a: 1\nb: ".utf8) + [0xFF, 0x0A])
        #expect(invalid?.code == .encoding)
        #expect(invalid?.location.description == "test.yaml:2:4")
        #expect(failure("a: \u{1}")?.code == .malformed)
    }

    @Test
    func binaryBytesAndTruncatedDocumentsNeverCrash() {
        var random = RandomNumbers(seed: 7)
        for _ in 0..<300 {
            var bytes: [UInt8] = []
            for _ in 0..<300 {
                bytes.append(.random(in: 0...127, using: &random))
            }
            _ = failure(bytes)
        }
        let whole = Array("{a: &x [\"b\", {c: *x}, 'd'], e: f}\n".utf8)
        for count in 0..<whole.count - 2 {
            #expect(failure(Array(whole[..<count])) != nil, "\(count) bytes")
        }
    }

    @Test
    func directivesAreLimitedAsEachIsComparedWithAll() {
        let tags = (0..<200_000).map { "%TAG !t\($0)! x\n" }.joined()
        #expect(failure(tags + "---\na: 1\n")?.code == .tooLarge)
        #expect(failure("%YAML 1.1\n%TAG !t! tag:x,\n---\na: !t!b 1\n") == nil)
        #expect(failure("a: |\n" + String(repeating: "  %x\n", count: 200)) == nil)
    }

    @Test
    func utf16IsRefusedNotMisread() {
        let wide = "a: 1\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(failure([0xFF, 0xFE] + wide)?.code == .encoding)
        #expect(failure([0xEF, 0xBB, 0xBF] + Array("a: 1\n".utf8)) == nil)
    }

    @Test
    func aFileIsReadLikeBytesInMemory() throws {
        let directory = try TemporaryDirectory()
        let items = (0..<20_000).map { "- item \($0)\n" }.joined()
        let path = try directory.write(items, to: "items.yaml")
        let document = try YAMLDocument(path: path)
        #expect(document.root.sequence?.count == 20_000)
        #expect(document.root.location.file == path)
    }
}
