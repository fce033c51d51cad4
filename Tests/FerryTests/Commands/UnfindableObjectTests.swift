import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// Exports of objects that need others which nothing identifies, and of objects that have nothing.
@Suite struct UnfindableObjectTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("App.xcdatamodel"), withIntermediateDirectories: true)
    }

    private func ferry(_ words: String...) throws -> ToolProcess.Result {
        try ToolProcess.ferry(words + ["--models", "App.xcdatamodel"], in: directory.path)
    }

    /// A store with five objects of each entity, of which all owners have one name.
    private func makeStore(_ entities: String, _ edits: String = "") throws {
        try directory.write(
            "<?xml version=\"1.0\"?><model type=\"com.apple.IDECoreDataModeler.DataModel\">\(entities)</model>",
            to: "App.xcdatamodel/contents")
        let made = try ferry("fixture", "--rows", "5", "--output", "a.sqlite")
        try #require(made.status == 0, "\(made.summary)")
        try SQLiteSession(on: directory.file("a.sqlite")).run(edits)
    }

    private static let owners = """
        <entity name="Owner"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="notes" optional="YES" toMany="YES" destinationEntity="Note" inverseName="owner" \
        inverseEntity="Note"/></entity>
        <entity name="Note"><attribute name="text" optional="YES" attributeType="String"/>
        <relationship name="owner" maxCount="1" destinationEntity="Owner" inverseName="notes" inverseEntity="Owner"/>
        </entity>
        """

    @Test func aRequiredRelationshipToObjectsWithoutAKeyIsNamed() throws {
        try makeStore(Self.owners, "UPDATE ZOWNER SET ZNAME = 'same'")
        let run = try ferry("export", "a.sqlite", "--all", "--output", "out", "--write-mapping", "m.yaml")
        #expect(run.status == 1, "\(run.summary)")
        #expect(
            run.errors.contains(
                "Note.owner is required: the import rejects the objects of Note; give Owner an attribute of which"),
            "\(run.summary)")
        // The files have the URIs, and one warning says so.
        #expect(!run.errors.contains("not in the mapping"), "\(run.summary)")
        #expect(run.errors.contains("the files have their URIs"), "\(run.summary)")
        let back = try ferry(
            "import", "out/Owner.csv", "out/Note.csv", "--mapping", "m.yaml", "--store", "b.sqlite", "--progress",
            "none")
        #expect(back.status == 1 && back.output.contains("5 rejected"), "\(back.summary)")
    }

    /// Where nothing needs the relationship, or no one will import the files, the URIs are all that is said.
    @Test func anOptionalRelationshipAndFilesForPeopleAreNot() throws {
        try makeStore(
            Self.owners.replacing("name=\"owner\" maxCount", with: "name=\"owner\" optional=\"YES\" maxCount"),
            "UPDATE ZOWNER SET ZNAME = 'same'")
        let run = try ferry("export", "a.sqlite", "--all", "--output", "out", "--write-mapping", "m.yaml")
        #expect(run.status == 1 && run.errors.contains("URIs"), "\(run.summary)")
        #expect(!run.errors.contains("required") && !run.errors.contains("not in the mapping"), "\(run.summary)")
    }

    @Test func whatAMappingOfOnesOwnLeavesOutThoughTheImportNeedsItIsNamed() throws {
        try makeStore(Self.owners)
        try directory.write("import: 1\nfiles: n.csv\nentity: Note\nattributes: {text: text}\n", to: "own.yaml")
        let run = try ferry("export", "a.sqlite", "--mapping", "own.yaml", "--output", "n.csv")
        #expect(
            run.status == 1
                && run.errors.contains("not exported: owner; required, so that the import rejects the objects: owner"),
            "\(run.summary)")
    }

    /// What only leads to objects that nothing identifies would make the import refuse the folder.
    @Test func aFolderHasNoFileThatTheMappingDoesNotKnow() throws {
        try makeStore(
            """
            <entity name="Mark"><relationship name="note" optional="YES" maxCount="1" destinationEntity="Note"/></entity>
            <entity name="Note"><attribute name="text" optional="YES" attributeType="String"/></entity>
            """, "UPDATE ZNOTE SET ZTEXT = 'same'")
        let run = try ferry("export", "a.sqlite", "--all", "--output", "out", "--write-mapping", "m.yaml")
        #expect(run.status == 1 && run.errors.contains("Mark.csv: its records say nothing"), "\(run.summary)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("out")) == ["Note.csv"])
        let people = try ferry("export", "a.sqlite", "--all", "--output", "people")
        #expect(people.status == 1 && people.output.contains("Mark.csv"), "\(people.summary)")
        let alone = try ferry(
            "export", "a.sqlite", "--entity", "Mark", "--output", "m.csv", "--write-mapping", "m2.yaml")
        #expect(alone.status == 1 && alone.output.contains("5 objects of Mark"), "\(alone.summary)")
    }

    /// A mapping without sources is one that the import refuses.
    @Test func aMappingThatNothingCanComeThroughIsNotWritten() throws {
        try makeStore("<entity name=\"Mark\"/>")
        let run = try ferry("export", "a.sqlite", "--all", "--output", "out", "--write-mapping", "m.yaml")
        #expect(run.status == 1 && run.errors.contains("m.yaml is not written"), "\(run.summary)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("m.yaml")))
    }

    /// NULL and the empty text are two values, also where the model has a default for new objects.
    @Test(arguments: ["csv", "ndjson", "json", "xml"])
    func nullsAndEmptyTextsComeBackBesideADefault(format: String) throws {
        try makeStore(
            """
            <entity name="Note"><attribute name="number" optional="YES" attributeType="Integer 32"/>
            <attribute name="text" optional="YES" attributeType="String" defaultValueString="new"/></entity>
            """,
            """
            UPDATE ZNOTE SET ZNUMBER = Z_PK, ZTEXT = CASE Z_PK WHEN 1 THEN NULL WHEN 2 THEN '' WHEN 3 THEN 'new'
            WHEN 4 THEN '\\N' ELSE 'null' END
            """)
        let run = try ferry(
            "export", "a.sqlite", "--all", "--format", format, "--output", "out", "--write-mapping", "m.yaml")
        #expect(run.status == 0, "\(run.summary)")
        let back = try ferry(
            "import", "out/Note.\(format)", "--mapping", "m.yaml", "--store", "b.sqlite", "--progress", "none")
        #expect(back.status == 0, "\(back.summary)")
        func rows(_ store: String) throws -> [String] {
            try Connection(path: directory.file(store), access: .readOnly)
                .rows("SELECT ZNUMBER, quote(ZTEXT) FROM ZNOTE ORDER BY 1").map { "\($0)" }
        }
        #expect(try rows("b.sqlite") == rows("a.sqlite"))
        #expect(try rows("b.sqlite").count == 5)
    }
}
