import DocumentReading
import Testing
import TestSupport

@Suite
struct XMLPullReaderTests {
    @Test
    func elementsAttributesAndTextComeInTheDocumentsOrder() throws {
        let document = "<a x='1' y=\"2\">one<b/>two<c>three</c></a>"
        #expect(
            try reader(document).transcript() == [
                "+a x=1 y=2", "'one'", "+b/", "-b", "'two'", "+c", "'three'", "-c", "-a",
            ])
    }

    @Test
    func cdataCharacterReferencesAndPredefinedEntitiesAreTextLikeAnyOther() throws {
        let document = "<a>x &amp; y<!-- not this --><![CDATA[<b>&amp;]]>&#x3042;<?skip it?>!</a>"
        #expect(try reader(document).transcript() == ["+a", "'x & y<b>&amp;あ!'", "-a"])
    }

    @Test
    func entitiesThatTheDocumentDeclaresAreWhatTheyStandForInTextsAndInAttributes() throws {
        let declarations = "<!ENTITY co 'A &amp; B'><!ENTITY full '&co; Ltd'><!ENTITY co 'other'>"
        let document = "<!DOCTYPE a [\(declarations)]><a x='&full;'>by &co;, &full;!</a>"
        #expect(try reader(document).transcript() == ["+a x=A & B Ltd", "'by A & B, A & B Ltd!'", "-a"])
        // Twice the same, and with elements in it, which have no place in the document.
        let elements = "<!DOCTYPE a [<!ENTITY e '<b n=\"1\">x</b>'>]><a>&e;-&e;</a>"
        let entities = reader(elements)
        var offsets: [Int?] = []
        while let event = try entities.next() { if event != .text { offsets.append(entities.byteOffset) } }
        #expect(try reader(elements).transcript() == ["+a", "+b n=1", "'x'", "-b", "'-'", "+b n=1", "'x'", "-b", "-a"])
        #expect(
            offsets.first == elements.utf8.count - "<a>&e;-&e;</a>".utf8.count
                && offsets.dropFirst().prefix(2).allSatisfy { $0 == nil })
    }

    @Test
    func defaultValuesOfTheDocumentsOwnDTDAreAttributesLikeThoseThatAreWritten() throws {
        let document =
            "<!DOCTYPE a [<!ATTLIST b unit CDATA 'kg' kind (x|y) 'x' n CDATA #IMPLIED>]><a><b n='1'/><b unit='g'/></a>"
        #expect(
            try reader(document).transcript() == [
                "+a", "+b/ n=1 unit=kg kind=x", "-b", "+b/ unit=g kind=x", "-b", "-a",
            ])
    }

    @Test
    func attributeValuesAreDecodedOnce() throws {
        let document = "<a x='1 > 2 &amp;&amp; 3 &lt; 4 &#38; &quot;q&quot;'/>"
        #expect(try reader(document).transcript().first == "+a/ x=1 > 2 && 3 < 4 & \"q\"")
    }

    @Test
    func everyEventKnowsWhereItBeginsAlsoAfterTagsOfSeveralLines() throws {
        let document = "<a\n   x='1'\n   y='2'><b>one\ntwo</b>x<c z='é'/></a>"
        let transcript = try reader(document).transcript(withPlaces: true)
        #expect(
            transcript == [
                "1:1 +a x=1 y=2", "3:10 +b", "3:? 'one\ntwo'", "4:4 -b", "4:8 'x'", "4:9 +c/ z=é", "4:9 -c", "4:19 -a",
            ])
    }

    @Test
    func namesHaveAPrefixANamespaceAndAnIndexThatStaysTheSame() throws {
        let reader = reader("<p:a xmlns:p='urn:p' xmlns='urn:d'><a/><p:a p:b='1'/></p:a>")
        var indexes: [Int] = []
        var names: [XMLName] = []
        while let event = try reader.next() {
            guard event == .startElement else { continue }
            indexes.append(reader.nameIndex)
            names.append(reader.name)
        }
        #expect(names.map(\.qualifiedName) == ["p:a", "a", "p:a"])
        #expect(names.map(\.namespaceURI) == ["urn:p", "urn:d", "urn:p"])
        #expect(names.map(\.localName) == ["a", "a", "a"])
        #expect(names.map(\.prefix) == ["p", nil, "p"])
        #expect(indexes[0] == indexes[2])
        #expect(indexes[0] != indexes[1])
    }

    @Test
    func thousandsOfDifferentNamesKeepTheirOwnIndexes() throws {
        let document = "<r>" + (0..<5_000).map { "<n\($0)/>" }.joined() + "</r>"
        let reader = reader(document)
        var seen: Set<Int> = []
        while let event = try reader.next() {
            if event == .startElement { seen.insert(reader.nameIndex) }
        }
        #expect(seen.count == 5_001)
        #expect(reader.name(at: 4_000).qualifiedName == "n3999")
    }

    @Test
    func anAttributeIsFoundByItsQualifiedName() throws {
        let reader = reader("<a x='1' xmlns:p='u' p:y='2'/>")
        #expect(try reader.next() == .startElement)
        #expect(reader.attribute(named: "x") == "1")
        #expect(reader.attribute(named: "p:y") == "2")
        #expect(reader.attribute(named: "y") == nil)
    }

    @Test
    func anElementIsSkippedWithAllThatIsInIt() throws {
        let reader = reader("<a><b><b>x</b><c/></b><d/></a>")
        #expect(try reader.next() == .startElement)
        #expect(try reader.next() == .startElement)
        try reader.skipElement()
        #expect(reader.name.localName == "b")
        #expect(reader.depth == 1)
        #expect(try reader.next() == .startElement)
        #expect(reader.name.localName == "d")
    }

    @Test
    func depthCountsTheOpenElements() throws {
        let reader = reader("<a><b/></a>")
        var depths: [Int] = []
        while try reader.next() != nil { depths.append(reader.depth) }
        #expect(depths == [1, 2, 1, 0])
    }

    @Test
    func aFileOfManyPiecesReadsLikeTheSameBytesInMemory() throws {
        let directory = try TemporaryDirectory()
        // Long enough for several pieces, with tags and characters of several bytes across their edges.
        let row = "<row name=\"日本 > 語\" n='&#38;'>本文 &lt;テキスト&gt;</row>\n"
        let document = "<rows>" + String(repeating: row, count: 5_000) + "</rows>"
        let path = try directory.write(document, to: "rows.xml")
        let fromFile = try XMLPullReader(path: path).transcript(withPlaces: true)
        let fromMemory = try reader(document).transcript(withPlaces: true)
        #expect(fromFile == fromMemory)
        #expect(fromFile.count == 5_000 * 4 + 2)
        #expect(fromFile[1] == "1:7 +row name=日本 > 語 n=&")
        #expect(fromFile[fromFile.count - 5] == "5000:1 +row name=日本 > 語 n=&")
    }

    @Test
    func aTextOfManyMegabytesArrivesWhole() throws {
        let text = String(repeating: "0123456789abcdef", count: 1 << 20)
        let reader = reader("<a>x<b>" + text + "</b></a>")
        #expect(try reader.next() == .startElement)
        #expect(try reader.next() == .text)
        #expect(try reader.next() == .startElement)
        #expect(try reader.next() == .text)
        #expect(reader.withText { $0.count } == 16 << 20)
        #expect(reader.text == text)
        #expect(try reader.next() == .endElement)
    }

    @Test
    func textAndValuesAreLentAsBytesWithoutACopy() throws {
        let reader = reader("<a k='va&amp;l'> \n\t<b>te</b></a>")
        #expect(try reader.next() == .startElement)
        #expect(reader.withAttributeValue(at: 0) { $0.count } == 4)
        #expect(try reader.next() == .text)
        #expect(reader.isBlankText)
        #expect(try reader.next() == .startElement)
        #expect(reader.withText { $0.count } == 0)
        #expect(try reader.next() == .text)
        #expect(!reader.isBlankText)
        #expect(reader.withText { bytes in bytes[0] } == UInt8(ascii: "t"))
    }

    @Test
    func otherEncodingsThanUTF8AreConverted() throws {
        func value(_ parts: [UInt8]...) throws -> String? {
            let reader = XMLPullReader(bytes: Array(parts.joined()), name: "test.xml")
            #expect(try reader.next() == .startElement)
            return reader.attribute(named: "q")
        }
        let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a q='".utf8)
        let japanese = Array("<?xml version='1.0' encoding='Shift_JIS'?><a q='".utf8)
        let end = Array("'/>".utf8)
        let utf16 = "<a q='é'/>".utf16.map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try value(latin, [0xE9], end) == "é")
        #expect(try value(japanese, [0x82, 0xA0], end) == "あ")
        #expect(try value([0xFF, 0xFE], Array(utf16.joined())) == "é")
        #expect(try value([0xEF, 0xBB, 0xBF], Array("<a q='é'/>".utf8)) == "é")
    }

    @Test
    func theDOCTYPEOfACoreDataStoreIsPassedOverWithoutLookingForItsDTD() throws {
        let document = """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
            <database/>
            """
        #expect(try reader(document).transcript(withPlaces: true) == ["3:1 +database/", "3:1 -database"])
    }
}
