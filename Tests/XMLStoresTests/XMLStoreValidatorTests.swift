import DocumentReading
import TestSupport
import Testing
import XMLStores

/// The structure that the document type of XML stores has.
@Suite struct XMLStoreValidatorTests {
    private static let info = """
        <databaseInfo><version>134481920</version><UUID>A</UUID><nextObjectID>102</nextObjectID>
        <metadata><plist version="1.0"><dict><key>a</key><array/></dict></plist></metadata></databaseInfo>
        """
    private static let sound = """
        <?xml version="1.0" standalone="yes"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
        <database>
        \(info)
        <object type="A" id="z102"><attribute name="n" type="string">x</attribute>
        <relationship name="r" type="0/0" destination="A" idrefs="z102 z102"></relationship>
        <relationship name="s" type="1/1" destination="A"/></object>
        </database>
        """

    @Test func whatCoreDataWritesIsSound() throws {
        try XMLStoreValidator.validate(bytes: Array(Self.sound.utf8), name: "x.xml")
    }

    @Test(arguments: [
        ("<database>", "<database a='1'>", 3, "\"database\" has no attribute \"a\""),
        (
            "<database>", "<database><object type='A' id='z1'/>", 3,
            "\"database\" needs a \"databaseInfo\" before \"object\""
        ),
        ("<version>134481920</version>", "", 4, "\"databaseInfo\" needs a \"version\" before \"UUID\""),
        ("<UUID>A</UUID>", "<UUID>A</UUID><UUID>B</UUID>", 4, "\"databaseInfo\" needs a \"nextObjectID\" before"),
        ("</databaseInfo>", "<more/></databaseInfo>", 5, "\"databaseInfo\" has no \"more\" here"),
        ("</metadata>", "<more/></metadata>", 5, "\"metadata\" has no \"more\" here"),
        ("<plist version=\"1.0\">", "<plist>", 5, "\"plist\" needs the attribute \"version\""),
        ("<object type=\"A\" ", "<object ", 6, "\"object\" needs the attribute \"type\""),
        ("id=\"z102\"", "id=\"z102\" name=\"b\"", 6, "\"object\" has no attribute \"name\""),
        ("type=\"string\">x", "type=\"string\"><b/>", 6, "no element is expected inside this one"),
        ("<attribute name=\"n\"", "<attribute", 6, "\"attribute\" needs the attribute \"name\""),
        (">x</attribute>", ">x</attribute><value/>", 6, "\"object\" has no \"value\" here"),
        ("destination=\"A\" idrefs", "idrefs", 7, "\"relationship\" needs the attribute \"destination\""),
        ("type=\"0/0\"", "type=\"0\"", 7, "two counts"), ("type=\"0/0\"", "type=\"0/-1\"", 7, "two counts"),
        ("idrefs=\"z102 z102\">", "idrefs=\"z102\">z103", 7, "\"relationship\" has no text"),
        ("<relationship name=\"s\"", "x<relationship name=\"s\"", 7, "\"object\" has no text"),
        ("</object>", "</object><databaseInfo/>", 8, "\"database\" has no \"databaseInfo\" here"),
        ("idrefs=\"z102 z102\">", "idrefs=\"z102\"> ", 7, "\"relationship\" has no text"),
        (
            "<plist version=\"1.0\"><dict><key>a</key><array/></dict></plist>", "", 5,
            "\"metadata\" needs a \"plist\""
        ),
        ("</database>", "", 8, "cut off"), ("</database>", "</database><a/>", 9, ""),
    ])
    func whatDiffersIsNamed(part: String, other: String, line: Int, message: String) throws {
        let text = Self.sound.replacing(part, with: other, maxReplacements: 1)
        try #require(text != Self.sound)
        let error = try #require(throws: DocumentError.self) {
            try XMLStoreValidator.validate(bytes: Array(text.utf8), name: "x.xml")
        }
        #expect(error.location.line == line && error.sentence.contains(message), "\(error)")
        #expect("\(error)".contains("x.xml:\(line)"))
    }

    /// Mapping models in source form are XML stores that Xcode has written.
    @Test(.enabled(if: Corpus.isPresent)) func realFilesAreSound() throws {
        let files = Corpus.files(under: "2_mappings") { $0 == "xcmapping.xml" }
        try #require(files.count > 50)
        for file in files {
            do {
                try XMLStoreValidator.validate(path: file)
            } catch {
                Issue.record("\(error)")
            }
        }
    }
}
