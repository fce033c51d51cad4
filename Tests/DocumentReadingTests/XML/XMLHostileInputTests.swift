import DocumentReading
import Testing
import TestSupport

@Suite
struct XMLHostileInputTests {
    private func failure(_ document: String, limits: XMLReadingLimits = XMLReadingLimits()) -> DocumentError? {
        failure(Array(document.utf8), limits: limits)
    }

    private func failure(_ bytes: [UInt8], limits: XMLReadingLimits = XMLReadingLimits()) -> DocumentError? {
        let reader = XMLPullReader(bytes: bytes, name: "test.xml", limits: limits)
        do {
            while try reader.next() != nil {}
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            ("", .empty, "test.xml:1:1"),
            ("garbage", .malformed, "test.xml:1:1"),
            ("<a>\n  <b></c></a>", .malformed, "test.xml:2:10"),
            ("<a x='1' x='2'/>", .malformed, "test.xml:1:15"),
            ("<a/><b/>", .malformed, "test.xml:1:5"),
            ("<a>\n<b>text", .truncated, "test.xml:2:8"),
            ("<a>&nbsp;</a>", .undefinedEntity, "test.xml:1:10"),
            ("<a x='&nbsp;'/>", .undefinedEntity, "test.xml:1:13"),
            ("<?xml version='1.0' encoding='Klingon'?><a/>", .encoding, "test.xml:1:39"),
            ("<a>\u{1}</a>", .malformed, "test.xml:1:4"),
        ] as [(String, DocumentError.Code, String)])
    func errorsSayWhatIsWrongAndWhere(document: String, code: DocumentError.Code, place: String) {
        let error = failure(document)
        #expect(error?.code == code)
        #expect(error?.location.description == place)
    }

    @Test
    func anErrorShowsTheLineWithACaret() {
        let error = failure("<list>\n  <item>one</itme>\n</list>")
        #expect(
            error?.description == """
                test.xml:2:19: not well formed: Opening and ending tag mismatch: item line 2 and itme
                  <item>one</itme>
                                  ^
                """)
    }

    @Test
    func aDocumentThatIsCutOffNamesTheOpenElement() {
        let error = failure("<a>\n<b><c>te")
        #expect(error?.sentence == "the document ends inside the element \"c\" of line 2; it seems to be cut off")
    }

    @Test
    func eventsBeforeTheErrorStillCome() throws {
        let reader = XMLPullReader(bytes: Array("<a><b/></c>".utf8), name: "test.xml")
        #expect(try reader.next() == .startElement)
        #expect(try reader.next() == .startElement)
        #expect(try reader.next() == .endElement)
        #expect(throws: DocumentError.self) { try reader.next() }
        #expect(throws: DocumentError.self) { try reader.next() }
    }

    @Test
    func bytesThatAreNotTheEncodingsAreRefused() {
        #expect(failure(Array("<a>".utf8) + [0xFF, 0xFE] + Array("</a>".utf8))?.code == .encoding)
        #expect(failure(Array("<?xml version='1.0' encoding='EUC-JP'?><a>".utf8) + [0xFF, 0xFF])?.code == .encoding)
    }

    @Test
    func everyTruncationOfADocumentIsAnErrorNeverACrash() {
        let text = "<?xml version='1.0'?><!DOCTYPE a SYSTEM 'x'><a b='é'><![CDATA[c]]>&amp;<!--d--><e/></a>"
        let document = Array(text.utf8)
        for count in 0..<document.count {
            #expect(failure(Array(document[..<count])) != nil, "\(count) bytes")
        }
        #expect(failure(document) == nil)
    }

    @Test
    func binaryBytesAreAnErrorNeverACrash() {
        var random = RandomNumbers(seed: 42)
        for _ in 0..<200 {
            var bytes: [UInt8] = []
            for _ in 0..<500 {
                bytes.append(.random(in: 0...255, using: &random))
            }
            #expect(failure(bytes) != nil)
            #expect(failure(Array("<a>".utf8) + bytes) != nil)
        }
    }

    private func bomb(levels: Int) -> String {
        var declarations = "<!ENTITY e0 'lollollollol'>"
        for level in 1..<levels {
            declarations += "<!ENTITY e\(level) '" + String(repeating: "&e\(level - 1);", count: 10) + "'>"
        }
        return "<!DOCTYPE a [\(declarations)]>"
    }

    @Test(arguments: [9, 15, 29])
    func entitiesInEntitiesWithoutEndAreRefusedWithWhatIsTooMuch(levels: Int) {
        let last = "&e\(levels - 1);"
        for document in ["<a>\(last)</a>", "<a x='\(last)'/>", "<a>x<b x='\(last)'>\(last)</b></a>"] {
            let error = failure(bomb(levels: levels) + document)
            #expect(error?.code == .tooLarge)
            #expect(error?.detail.contains(levels > 16 ? "more than 16 levels" : "ten times as large") == true)
        }
    }

    @Test
    func theSizeOfADTDTheDepthOfEntitiesAndWhatTheyAddHaveLimitsThatCanBeSet() {
        let document = bomb(levels: 3) + "<a>&e2;</a>"
        #expect(failure(document, limits: XMLReadingLimits(maximumEntityDepth: 2))?.code == .tooLarge)
        #expect(failure(document, limits: XMLReadingLimits(maximumEntityDepth: 3)) == nil)
        let large = document
        #expect(failure(large, limits: XMLReadingLimits(maximumExpansion: 200))?.code == .tooLarge)
        #expect(failure(large, limits: XMLReadingLimits(maximumExpansion: 100_000)) == nil)
        #expect(failure(large, limits: XMLReadingLimits(maximumDocumentTypeSize: 10)) == nil)
        let padded = "<!DOCTYPE a [<!--\(String(repeating: "x", count: 20_000))-->]><a/>"
        #expect(failure(padded, limits: XMLReadingLimits(maximumDocumentTypeSize: 16_000))?.code == .tooLarge)
    }

    @Test(arguments: ["<a>&x;</a>", "<a b='&x;'/>"])
    func anEntityThatStandsInItselfIsRefused(document: String) {
        #expect(failure("<!DOCTYPE a [<!ENTITY x '1&y;'><!ENTITY y '2&x;'>]>" + document) != nil)
    }

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>",
        "<!DOCTYPE a [<!ENTITY % x SYSTEM 'http://localhost/x'>%x;]><a/>",
        "<!DOCTYPE a [<!ENTITY x PUBLIC 'p' 'passwd'>]><a/>",
        "<!DOCTYPE a [<!NOTATION n SYSTEM 'n'><!ENTITY x SYSTEM 'passwd' NDATA n>]><a/>",
        "<!DOCTYPE a [<!ENTITY % x '<!ATTLIST a b CDATA #IMPLIED>'>%x;]><a/>",
    ])
    func nothingOutsideTheDocumentIsOpened(document: String) {
        #expect(failure(document)?.code == .entityDeclaration)
    }

    /// Where a document may declare none, not even one of its own.
    @Test
    func anEntityOfItsOwnIsNamedForWhatItIs() {
        var limits = XMLReadingLimits()
        limits.maximumExpansion = 0
        let error = failure("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", limits: limits)
        #expect(error?.code == .entityDeclaration)
        #expect(
            error?.sentence
                == "it uses entities or default values that it declares itself; write out their text instead")
    }

    @Test
    func anUndefinedEntityIsAnErrorAlsoWhereAnExternalDTDMightDefineIt() {
        #expect(failure("<!DOCTYPE a SYSTEM 'x.dtd'><a>&x;</a>")?.code == .undefinedEntity)
        #expect(failure("<!DOCTYPE a SYSTEM 'x.dtd'><a b='&x;'/>")?.code == .undefinedEntity)
    }

    @Test
    func defaultValuesOfADTDAreNotMultipliedIntoTheElementsWithoutEnd() throws {
        let value = String(repeating: "x", count: 50_000)
        let elements = String(repeating: "<b/>", count: 10_000)
        let document = "<!DOCTYPE a [<!ATTLIST b c CDATA '\(value)'>]><a>\(elements)</a>"
        #expect(failure(document)?.detail == "its entities and default values add more than 8388608 bytes to it")
    }

    @Test
    func nestingAndTextsAreLimited() {
        let deep = String(repeating: "<a>", count: 300)
        #expect(failure(deep)?.code == .tooDeep)
        #expect(failure("<a><a><a><a>", limits: XMLReadingLimits(maximumDepth: 3))?.code == .tooDeep)
        #expect(failure("<a>12&amp;45</a>", limits: XMLReadingLimits(maximumTextLength: 4))?.code == .tooLarge)
        #expect(failure("<a>12&amp;4</a>", limits: XMLReadingLimits(maximumTextLength: 4)) == nil)
        #expect(failure("<a b='" + String(repeating: "x", count: 11_000_000) + "'/>")?.code == .tooLarge)
        #expect(failure("<" + String(repeating: "x", count: 100_000) + "/>") != nil)
    }

    @Test
    func anElementWithAttributesOrNamespacesWithoutEndIsRefusedBeforeTheyAreCompared() {
        let attributes = (0..<500_000).map { "a\($0)=''" }.joined(separator: " ")
        #expect(failure("<a \(attributes)/>")?.code == .tooLarge)
        let spaced = (0..<500_000).map { "a\($0) =\n\"\"" }.joined(separator: " ")
        #expect(failure("<a \(spaced)/>")?.code == .tooLarge)
        let few = (0..<4_001).map { "a\($0)=''" }.joined(separator: " ")
        #expect(failure("<a \(few)/>")?.detail == "an element has more than 4000 attributes")
        let enough = (0..<4_000).map { "a\($0)=''" }.joined(separator: " ")
        #expect(failure("<a \(enough)/>") == nil)
        let namespaces = (0..<300).map { "xmlns:n\($0)='u'" }.joined(separator: " ")
        #expect(failure(String(repeating: "<a \(namespaces)>", count: 4))?.code == .tooLarge)
        #expect(failure(String(repeating: "<a \(namespaces)></a>", count: 1)) == nil)
    }

    @Test
    func longValuesWithEqualsSignsAndQuotesInThemAreNoAttributes() {
        let value = String(repeating: "x='y' ", count: 100_000)
        #expect(failure("<a b=\"\(value)\"/>") == nil)
        #expect(failure("<a><!--\(String(repeating: "x='y' ", count: 100_000))--></a>") == nil)
        #expect(failure("<a><![CDATA[\(String(repeating: "x='y' ", count: 100_000))]]></a>") == nil)
        #expect(failure("<a>\(String(repeating: "x='y' ", count: 100_000))</a>") == nil)
        #expect(failure("<a b='" + String(repeating: "x", count: 5_000_000) + "'/>") == nil)
    }

    @Test
    func aDTDInsideTheDocumentIsLimitedAndSoAreItsDefaultValues() {
        let names = (0..<500_000).map { "n\($0)" }.joined(separator: "|")
        #expect(failure("<!DOCTYPE a [<!ATTLIST a b (\(names)) #IMPLIED>]><a/>")?.code == .tooLarge)
        let defaults = (0..<2_000).map { "b\($0) CDATA ''" }.joined(separator: "\n")
        let elements = String(repeating: "<a/>", count: 100_000)
        #expect(failure("<!DOCTYPE a [<!ATTLIST a \(defaults)>]><r>\(elements)</r>")?.code == .tooLarge)
        #expect(failure("<!DOCTYPE a [<!ATTLIST a b (x|y) 'x'>]><a/>") == nil)
    }

    @Test
    func aFileThatCannotBeReadIsAnErrorWithTheSystemsReason() throws {
        let directory = try TemporaryDirectory()
        let missing = directory.file("missing.xml")
        #expect { try XMLPullReader(path: missing) } throws: { error in
            (error as? DocumentError)?.description == "\(missing): cannot be read: No such file or directory"
        }
        #expect { try XMLPullReader(path: directory.path).next() } throws: { error in
            (error as? DocumentError)?.code == .unreadable
        }
        let empty = try directory.write("", to: "empty.xml")
        #expect { try XMLPullReader(path: empty).next() } throws: { error in
            (error as? DocumentError)?.code == .empty
        }
    }
}
