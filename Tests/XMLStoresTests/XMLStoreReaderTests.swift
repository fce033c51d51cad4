import DocumentReading
import KeyedArchives
import TestSupport
import Testing

@testable import XMLStores

@Suite struct XMLStoreReaderTests {
    @Test func whatIsWrittenIsRead() throws {
        var metadata = PropertyListDictionary()
        metadata["hash"] = .data([1, 2, 255])
        metadata["list"] = .array([.string("a < b"), .integer(-3), .real(0.5), .boolean(true), .date(0)])
        let header = XMLStoreHeader(uuid: "ABC", nextObjectID: 103, metadata: metadata)
        let objects = [
            XMLStoreObject(
                type: "A&B", id: "z102", attributes: [.init(name: "name", type: "string", text: "x < y\\u \u{1F600}")],
                relationships: [
                    .init(name: "one", minimumCount: 1, maximumCount: 1, destination: "B", ids: ["z103"]),
                    .init(name: "many", minimumCount: 0, maximumCount: 0, destination: "B", ids: []),
                ]),
            XMLStoreObject(type: "B", id: "z103"),
        ]
        var text = ""
        let writer = try XMLStoreWriter<Never>(header: header) { text += $0 }
        objects.forEach { writer.append($0) }
        writer.finish()
        let reader = try XMLStoreReader(bytes: Array(text.utf8), name: "x.xml")
        #expect(reader.header == header)
        var read: [XMLStoreObject] = []
        while var object = try reader.next() {
            object.location = nil
            read.append(object)
        }
        #expect(read == objects)
    }

    @Test(arguments: [
        ("<a/>", "not an XML store"),
        ("<database><object/></database>", "databaseInfo"),
        ("<database><databaseInfo></databaseInfo></database>", "needs a version"),
        (header + "<thing/></database>", "not \"thing\""),
        (header + "<object type='A'/></database>", "a type and an id"),
        (header + "<object type='A' id='z1'><attribute name='a'/></object></database>", "a name and a type"),
        (
            header + "<object type='A' id='z1'><relationship name='a' destination='B' type='x'/></object></database>",
            "two counts"
        ),
        (header + "<object type='A' id='z1'>words</object></database>", "no text"),
    ])
    func whatIsNoStoreIsAnError(_ text: String, _ words: String) throws {
        let error = #expect(throws: DocumentError.self) {
            let reader = try XMLStoreReader(bytes: Array(text.utf8), name: "x.xml")
            while try reader.next() != nil {}
        }
        #expect(error?.description.contains(words) == true)
        #expect(error?.description.hasPrefix("x.xml:1") == true)
    }

    @Test func aDeepPropertyListIsAnErrorAndNoCrash() {
        let nested = String(repeating: "<array>", count: 200)
        let text = "<database><databaseInfo><metadata><plist><dict><key>a</key>" + nested
        #expect(throws: DocumentError.self) { try XMLStoreReader(bytes: Array(text.utf8), name: "x.xml") }
    }

    @Test(.long, .enabled(if: Corpus.isPresent, "there is no corpus"))
    func realStoresAreRead() throws {
        let paths = Corpus.files(under: "2_mappings") { $0 == "xcmapping.xml" }
        #expect(paths.count == 63)
        for path in paths {
            let reader = try XMLStoreReader(path: path)
            #expect(reader.header.version == XMLStoreHeader.formatVersion)
            var highest: Int64 = 0
            while let object = try reader.next() {
                highest = max(highest, Int64(object.id.dropFirst()) ?? 0)
            }
            #expect(highest == reader.header.nextObjectID)
        }
    }

    private static let header =
        "<database><databaseInfo><version>1</version><UUID>A</UUID>"
        + "<nextObjectID>1</nextObjectID></databaseInfo>"
}
