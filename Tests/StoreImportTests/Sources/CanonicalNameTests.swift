import StoreImport
import Testing

@testable import ImportMappings

/// Names that are canonically equivalent are one, whichever way the source and the mapping write them.
@Suite struct CanonicalNameTests {
    private static let composed = "gr\u{F6}\u{DF}e"
    private static let decomposed = "gro\u{308}\u{DF}e"

    @Test(arguments: [(composed, decomposed), (decomposed, composed), (composed, composed), (decomposed, decomposed)])
    func namesOfJSONXMLAndCSVAreFound(inFile: String, inMapping: String) throws {
        let fixture = try ImportFixture(entities: DraftFixture.entity("Thing", "size:Integer 32", "note"))
        let sources = [
            ("a.json", "[{\"\(inFile)\": 1, \"o\": {\"\(inFile)\": \"x\"}}]", "", "o.\(inMapping)"),
            ("b.json", "{\"\(inFile)\": [{\"\(inFile)\": 1, \"n\": \"x\"}]}", "records: \(inMapping)", "n"),
            ("c.xml", "<r><i \(inFile)='x'><\(inFile)>1</\(inFile)></i></r>", "records: i", "'@\(inMapping)'"),
            ("d.csv", "\(inFile),n\n1,x\n", "", "n"),
            ("e.xml", "<r><\(inFile)><\(inFile)>1</\(inFile)><n>x</n></\(inFile)></r>", "records: r/\(inMapping)", "n"),
        ]
        for (name, text, format, note) in sources {
            let mapping = try ImportMappingReader.read(
                bytes: Array(
                    "import: 1\n\(format)\nentity: Thing\nattributes: {size: \(inMapping), note: \(note)}\n".utf8),
                name: "m.yaml"
            ).mapping
            let report = try fixture.run([try fixture.write(text, as: name)], .mapping(mapping))
            #expect(report.entities.first?.inserted == 1 && !report.hasFindings, "\(name) \(report)")
        }
        #expect(try fixture.rows("SELECT count(*) FROM ZTHING WHERE ZSIZE = 1 AND ZNOTE = 'x'") == ["5"])
    }
}
