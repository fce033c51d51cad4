import TestSupport
import Testing
import XMLStores

/// Entities and IDs are found without reading a store, or it is read.
@Suite struct XMLStoreKeyScannerTests {
    private static let beginning = """
        <?xml version="1.0" standalone="yes"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
            <databaseInfo><version>134481920</version></databaseInfo>

        """

    /// What is found, in pieces of some size; nil where the store has to be read.
    private func keys(_ text: String, pieceSize: Int) throws -> [String]? {
        let directory = try TemporaryDirectory()
        let path = try directory.write(text, to: "a.xml")
        guard var scanner = XMLStoreKeyScanner(path: path, pieceSize: pieceSize) else { return ["unreadable"] }
        var found: [String] = []
        let isWhole = try scanner.forEach { found.append("\(String(decoding: $0, as: UTF8.self)) \($1)") }
        return isWhole ? found : nil
    }

    @Test(arguments: [1, 2, 3, 7, 50, 1 << 16])
    func objectsAreFoundInPiecesOfAnySize(pieceSize: Int) throws {
        let objects = """
            <object type="PERSON" id="z102"><attribute name="a" type="string">x &lt;object> y</attribute></object>
            <object
              id='z7'   type='TEAM' >
            </object><object type="É" id="z999999999999999"><relationship name="a" idrefs="z1 z2"></relationship></object>
            """
        let text = Self.beginning + objects + "\n</database>\n"
        #expect(try keys(text, pieceSize: pieceSize) == ["PERSON 102", "TEAM 7", "É 999999999999999"])
        #expect(try keys(Self.beginning + "</database>", pieceSize: pieceSize) == [])
    }

    @Test(
        arguments: [
            "<!-- <object type=\"A\" id=\"z1\"> -->", "<![CDATA[<object type=\"A\" id=\"z1\">]]>", "<?a <object ?>",
            "<object type=\"A\"/>", "<object id=\"z1\" type=\"A\" id=\"z2\">", "<object type=\"A\" id=\"&#122;1\">",
            "<object type=\"A\" id=\"102\">", "<object type=\"A\" id=\"z\">", "<object type=\"A\" id=\"z0\">",
            "<object type=\"A\" id=\"z99999999999999999999\">", "<object type=\"A\" id=\"z1\" other=\"1\">",
            "<objects>", "<object type = \"A\" id=\"z1\">", "<object type=\"A\" id=\"z1",
        ], [1, 64, 1 << 16])
    func whatCouldBeSomethingElseIsRead(text: String, pieceSize: Int) throws {
        #expect(try keys(Self.beginning + text + "</database>", pieceSize: pieceSize) == nil)
    }

    @Test(
        arguments: [
            "<?xml version=\"1.0\" encoding=\"ISO-2022-JP\"?><database></database>",
            "<!DOCTYPE database [<!ENTITY a \"b\">]><database></database>",
            "<database></database><?xml version=\"1.0\"?>",
        ])
    func documentsOfOtherKindsAreRead(text: String) throws {
        #expect(try keys(text, pieceSize: 1 << 16) == nil)
        #expect(try keys("<?xml version='1.0' encoding='utf-8'?><database></database>", pieceSize: 5) == [])
    }
}
