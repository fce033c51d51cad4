import DocumentReading
import Foundation
import ImportTestSupport
import RecordSources
import TestSupport
import Testing

@Suite struct XMLSourceTests {
    private func read(
        _ text: String, _ recordPath: String, paths: [String] = [], namespaces: [String: String] = [:],
        limits: RecordBatch.Limits = RecordBatch.Limits(), from position: RecordPosition? = nil,
        change: (inout XMLOptions) -> Void = { _ in }
    ) throws -> NestedReading {
        var names = FieldNames()
        let compiled = try paths.map { try RecordPath($0, names: &names) }
        var options = XMLOptions(recordPath: recordPath)
        options.namespaces = namespaces
        change(&options)
        let source = try XMLSource(
            bytes: Array(text.utf8), name: "t.xml", options: options, paths: compiled, names: names, from: position)
        return try NestedReading(source, limits: limits)
    }

    private let shop = """
        <?xml version="1.0"?>
        <shop xmlns:x="urn:x"><info><item id="no"/></info>
          <item id="1" x:lang="en"><name>A &amp; B</name><tag>t1</tag><tag>t2</tag><price cur="USD">5</price></item>
          <item id="2"><name/><size><w>3</w></size></item>
          <other/>
        </shop>
        """

    @Test func attributesElementsAndRepeatedElementsAreValuesOfARecord() throws {
        let paths = ["@id", "@x:lang", "name", "tag", "tag[1]", "price", "price@cur", "size.w", "size", "nothing"]
        let reading = try read(shop, "/shop/item", paths: paths)
        #expect(
            reading.fields == [
                ["1", "en", "A & B", "", "t2", "5", "USD", "", "", ""], ["2", "", "", "", "", "", "", "3", "", ""],
            ])
        // Which of two tags is meant, the path does not say.
        #expect(reading.kinds[0][3] == .node)
        #expect(
            reading.kinds[1] == [
                .text, .missing, .text, .missing, .missing, .missing, .missing, .text, .node, .missing,
            ])
        #expect(reading.lines == [3, 4])
        #expect(reading.trees[1] == "{@id=2 name={} size={w={3}}}")
    }

    @Test(arguments: [
        ("/shop/item", 2), ("shop/item", 2), ("item", 3), ("//item", 3), ("//info/item", 1), ("/*/item", 2),
        ("/item", 0),
        ("/shop/info/item", 1), ("shop", 1), ("/shop/*", 4),
    ])
    func aRecordPathNamesElements(path: String, count: Int) throws {
        #expect(try read(shop, path).trees.count == count)
    }

    @Test(arguments: ["", "/", "a//b", "a[1]", "/a/@b", "a b"])
    func aRecordPathThatIsNoneIsRefused(path: String) {
        #expect(throws: SourceError.self) { try read(shop, path) }
    }

    @Test func prefixesAreThoseOfTheDocumentOrStandForTheNamespacesThatAreTold() throws {
        let text = "<r xmlns='urn:d' xmlns:p='urn:p'><p:i><p:a p:b='1'>x</p:a><c>y</c></p:i></r>"
        #expect(try read(text, "r/p:i", paths: ["p:a", "p:a.@p:b", "c"]).fields == [["x", "1", "y"]])
        let told = ["q": "urn:p", "d": "urn:d"]
        let reading = try read(text, "d:r/q:i", paths: ["q:a", "q:a@q:b", "d:c"], namespaces: told)
        #expect(reading.fields == [["x", "1", "y"]])
    }

    @Test func textIsWhatAnElementHasDirectlyJoinedWithoutTheSpaceBetweenElements() throws {
        let text = "<r><i>a<b>x</b>c<!-- - --><![CDATA[<d>]]></i><i>\n <b>y</b>\n</i><i>\n z </i></r>"
        let reading = try read(text, "/r/i", paths: ["text()", ".", "b"])
        #expect(reading.fields == [["ac<d>", "", "x"], ["", "", "y"], ["\n z ", "\n z ", ""]])
    }

    @Test func anElementThatIsNilHasNoValue() throws {
        let text = "<r xmlns:s='http://www.w3.org/2001/XMLSchema-instance'><i><a s:nil='true'/><b s:nil='0'/></i></r>"
        #expect(try read(text, "/r/i", paths: ["a", "b"]).kinds == [[.null, .text]])
    }

    @Test func repeatedChildElementsAreVisitedInOrderWithTheirOwnParts() throws {
        var names = FieldNames()
        let members = try RecordPath("m[*]", names: &names)
        let reference = try RecordPath("@ref", names: &names)
        var source = try XMLSource(
            bytes: Array("<r><w><m ref='1'/><x/><m ref='2'/><m/></w></r>".utf8), name: "t",
            options: XMLOptions(recordPath: "w"), names: names)
        var batch = RecordBatch()
        #expect(try source.next(into: &batch))
        var references: [String] = []
        members.visit(batch.nodes, from: Int(batch[0].rootNode)) { node in
            references.append(batch.text(of: reference.field(batch.nodes, from: node)))
            return true
        }
        #expect(references == ["1", "2", ""])
    }

    @Test func recordsBeforeAPlaceThatIsNotWellFormedAreReadThenThePlaceIsTold() throws {
        var source = try XMLSource(
            bytes: Array("<r><i>1</i><i>2</i>\n<i>3</r>".utf8), name: "t.xml", options: XMLOptions(recordPath: "i"))
        var batch = RecordBatch()
        #expect(try source.next(into: &batch))
        #expect(batch.count == 2)
        let error = #expect(throws: DocumentError.self) { try source.next(into: &batch) }
        #expect(error?.location.line == 2)
    }

    @Test(arguments: [
        (
            "<!DOCTYPE r [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><r><i>&a;</i></r>",
            DocumentError.Code.entityDeclaration
        ),
        ("<r><i>&nothing;</i></r>", .undefinedEntity), ("<r><i>", .truncated), ("", .empty),
    ])
    func entitiesCutAndEmptyDocumentsAreRefused(text: String, code: DocumentError.Code) throws {
        let error = #expect(throws: DocumentError.self) { try read(text, "i") }
        #expect(error?.code == code)
    }

    @Test func aRecordWithMorePartsThanAllowedIsRejectedAndTheNextIsRead() throws {
        let many = "<r><i>" + String(repeating: "<a><b/></a>", count: 200) + "</i><i><a/></i></r>"
        let reading = try read(many, "/r/i", paths: ["a"]) { $0.limits.values = 100 }
        #expect(reading.codes == [.tooManyValues, nil])
    }

    @Test func readingGoesOnFromThePositionOfABatch() throws {
        let text = "<r>" + (0..<10).map { "<i n='\($0)'/>" }.joined() + "</r>"
        var names = FieldNames()
        let path = try RecordPath("@n", names: &names)
        var source = try XMLSource(
            bytes: Array(text.utf8), name: "t", options: XMLOptions(recordPath: "i"), paths: [path], names: names)
        var batch = RecordBatch(limits: .init(rows: 4))
        #expect(try source.next(into: &batch))
        let rest = try read(text, "i", paths: ["@n"], limits: .init(rows: 3), from: batch.end)
        #expect(rest.fields == (4..<10).map { ["\($0)"] })
        let beyond = RecordPosition(byteOffset: 0, line: 1, record: 11)
        #expect(throws: SourceError.self) { try read(text, "i", from: beyond) }
    }

    @Test(
        .enabled(if: Corpus.isPresent, "the corpus is not here"),
        arguments: [
            ("osmcode__osm-testdata/grid/data/all.osm", "/osm/node", "@id"),
            ("mledoze__countries/dist/countries.xml", "/countries/country", "@cca3"),
            ("tkrajina__gpxpy/test_files/korita-zbevnica.gpx", "//trkpt", "@lat"),
        ])
    func realFilesHaveTheRecordsThatASearchForTheirTagsFindsByteForByte(
        file: String, path: String, key: String
    ) throws {
        let whole = (Corpus.path ?? "") + "/7_data/" + file
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: whole)))
        let tag = Array("<\(path.split(separator: "/").last ?? "") ".utf8)
        var names = FieldNames()
        let compiled = try RecordPath(key, names: &names)
        var source = try XMLSource(
            path: whole, options: XMLOptions(recordPath: path), paths: [compiled], names: names)
        var batch = RecordBatch(limits: .init(rows: 100))
        var position = 0
        var count = 0
        while try source.next(into: &batch) {
            for record in 0..<batch.count {
                let offset = batch[record].sourceOffset
                #expect(bytes[offset...].starts(with: tag))
                #expect(batch.field(0, of: record).length > 0)
                #expect(offset >= position)
                position = batch[record].sourceRange.upperBound
                #expect(bytes[position - 1] == UInt8(ascii: ">"))
                #expect(source.recordBytes.bytes(of: record, in: batch) == Array(bytes[offset..<position]))
                count += 1
            }
        }
        let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: String(decoding: tag, as: UTF8.self))
        #expect(count == parts.count - 1)
    }
}
