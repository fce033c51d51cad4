import ImportMappings
import StoreImport
import Testing

@testable import RecordSources

@Suite struct NestedDraftTests {
    static let library =
        DraftFixture.entity(
            "Author", "name",
            more:
                "<relationship name='books' optional='YES' toMany='YES' destinationEntity='Book' inverseName='author' "
                + "inverseEntity='Book'/>" + DraftFixture.unique("name"))
        + DraftFixture.entity(
            "Book", "title", "isbn", "pages:Integer 32",
            more:
                "<relationship name='author' optional='YES' maxCount='1' destinationEntity='Author' inverseName='books' "
                + "inverseEntity='Author'/><relationship name='chapters' optional='YES' toMany='YES' ordered='YES' "
                + "destinationEntity='Chapter' inverseName='book' inverseEntity='Chapter'/>"
                + DraftFixture.unique("isbn"))
        + DraftFixture.entity(
            "Chapter", "title", "length:Integer 32",
            more:
                "<relationship name='book' optional='YES' maxCount='1' destinationEntity='Book' inverseName='chapters' "
                + "inverseEntity='Book'/>")

    private func check(_ fixture: DraftFixture, _ source: String) throws {
        #expect(try fixture.run([source]).rejected == 0)
        #expect(
            try fixture.fixture.rows(
                "SELECT b.ZTITLE, b.ZPAGES, a.ZNAME FROM ZBOOK b JOIN ZAUTHOR a ON a.Z_PK = b.ZAUTHOR ORDER BY 1")
                == ["Emma|474|Jane", "Persuasion|249|Jane"])
        #expect(
            try fixture.fixture.rows(
                "SELECT c.ZTITLE, c.ZLENGTH FROM ZCHAPTER c JOIN ZBOOK b ON b.Z_PK = c.ZBOOK WHERE b.ZTITLE = 'Emma' "
                    + "ORDER BY c.Z_FOK_BOOK") == ["I|12", "II|9"])
    }

    @Test func jsonObjectsInArraysBecomeRelatedObjects() throws {
        let fixture = try DraftFixture(Self.library)
        let source = try fixture.fixture.write(
            #"""
            {"meta": {"pages": [{"n": 1}]}, "library": {"books": [
              {"isbn": "1", "title": "Emma", "pages": 474, "author": {"name": "Jane"},
               "chapters": [{"title": "I", "length": 12}, {"title": "II", "length": 9}]},
              {"isbn": "2", "title": "Persuasion", "pages": 249, "author": {"name": "Jane"}, "chapters": []}]}}
            """#, as: "export.json")
        let draft = try fixture.draft([source])
        #expect(draft.mapping.sources[0].format.records == "library.books")
        #expect(draft.mapping.sources[0].objects[0].entity == "Book")
        try check(fixture, source)
    }

    @Test func xmlElementsBecomeRelatedObjects() throws {
        let fixture = try DraftFixture(Self.library)
        let source = try fixture.fixture.write(
            """
            <?xml version="1.0"?><library><about/>
            <book isbn="1"><title>Emma</title><pages>474</pages><author>Jane</author>
            <chapter length="12">I</chapter><chapter length="9">II</chapter></book>
            <book isbn="2"><title>Persuasion</title><pages>249</pages><author>Jane</author></book></library>
            """, as: "export.xml")
        let draft = try fixture.draft([source])
        let books = try #require(draft.mapping.sources.first { $0.format.records == "/library/book" })
        #expect(books.objects.map(\.entity) == ["Book", "Chapter"])
        try check(fixture, source)
    }

    @Test func partsOfAnotherNameAreToldByWhatIsInThem() throws {
        let fixture = try DraftFixture(Self.library)
        let source = try fixture.fixture.write(
            """
            <?xml version="1.0"?><library>
            <book isbn="1" title="Emma" pages="474" author="Jane">
            <section title="I" length="12"/><section title="II" length="9"/></book>
            <book isbn="2" title="Persuasion" pages="249" author="Jane"/></library>
            """, as: "export.xml")
        #expect(try fixture.draft([source]).mapping.sources[0].objects.map(\.entity) == ["Book", "Chapter"])
        try check(fixture, source)
    }

    /// An attribute more, or another part of the same names, and nobody can tell.
    @Test(arguments: [
        "<section title='I' length='12' note='x'/>", "<section title='I' length='1'/><figure title='a' length='1'/>",
    ])
    func partsThatMayBeSomethingElseAreLeftOut(parts: String) throws {
        let fixture = try DraftFixture(Self.library)
        let source = try fixture.fixture.write(
            "<library><book isbn='1' title='Emma' pages='474'>\(parts)</book><book isbn='2' title='b'/></library>",
            as: "export.xml")
        #expect(try fixture.draft([source]).mapping.sources[0].objects.map(\.entity) == ["Book"])
    }

    @Test func objectsKeyedByIdInsideRecordsAreParts() throws {
        let fixture = try DraftFixture(
            DraftFixture.entity(
                "Book", "isbn", "title",
                more:
                    "<relationship name='chapters' optional='YES' toMany='YES' destinationEntity='Chapter' "
                    + "inverseName='book' inverseEntity='Chapter'/>" + DraftFixture.unique("isbn"))
                + DraftFixture.entity(
                    "Chapter", "id", "title", "length:Integer 32",
                    more:
                        "<relationship name='book' optional='YES' maxCount='1' destinationEntity='Book' "
                        + "inverseName='chapters' inverseEntity='Book'/>"))
        for name in ["chapters", "sections"] {
            let source = try fixture.fixture.write(
                #"""
                [{"isbn": "1", "title": "Emma", "\#(name)": {
                    "c1": {"title": "I", "length": 12}, "c2": {"title": "II", "length": 9}, "c3": {"title": "III", "length": 7}}},
                 {"isbn": "2", "title": "Persuasion", "\#(name)": {"c9": {"title": "I", "length": 3}}}]
                """#, as: "books.json")
            let draft = try fixture.draft([source])
            let objects = draft.mapping.sources[0].objects
            #expect(objects.map(\.entity) == ["Book", "Chapter"])
            #expect(objects.last?.records == "\(name).*")
            #expect(objects.last?.attributes.first { $0.attribute == "id" }?.value == .column("@key"))
            _ = try fixture.run([source])
            #expect(
                try fixture.fixture.rows(
                    "SELECT c.ZID, c.ZLENGTH FROM ZCHAPTER c JOIN ZBOOK b ON b.Z_PK = c.ZBOOK ORDER BY b.ZISBN, c.ZID")
                    == ["c1|12", "c2|9", "c3|7", "c9|3"])
        }
    }

    @Test func objectsInRecordsThatAreNotAlikeAreNoParts() throws {
        var part = SampledPart(isJSON: true)
        func sample(_ text: String) throws {
            var source = try JSONSource(ByteInput(bytes: Array(text.utf8), name: "t.json"))
            var batch = RecordBatch()
            _ = try source.next(into: &batch)
            for record in 0..<batch.count { part.add(node: Int(batch[record].rootNode), of: batch) }
        }
        try sample(
            #"""
            [{"two": {"a": {"x": 1}, "b": {"x": 1}}, "mixed": {"a": {"x": 1}, "b": {"x": 2}, "c": {"x": 3}, "d": 4},
              "apart": {"a": {"x": 1}, "b": {"y": 2}, "c": {"z": 3}}, "alike": {"a": {"x": 1}, "b": {"x": 2, "y": 1}, "c": {"x": 3}}}]
            """#)
        #expect(part.fields.filter { $0.keyedPart != nil }.map(\.name) == ["alike"])
        #expect(part.fields.last?.keyedPart?.fields.map(\.name) == ["@key", "x", "y"])
        // One member that is no object ends it, also in a later record.
        try sample(#"[{"alike": {"a": 1}}]"#)
        #expect(part.fields.allSatisfy { $0.keyedPart == nil })
    }

    @Test func severalKindsOfElementsAreSeveralSources() throws {
        let fixture = try DraftFixture(
            DraftFixture.entity("Node", "id:Integer 64", "lat:Double") + DraftFixture.entity("Way", "id:Integer 64"))
        let source = try fixture.fixture.write(
            "<osm><bounds/><node id='1' lat='1.5'/><node id='2' lat='2'/><way id='3'/><way id='4'/></osm>", as: "a.osm")
        let draft = try fixture.draft([source])
        #expect(draft.mapping.sources.compactMap(\.format.records) == ["/osm/node", "/osm/way"])
        #expect(try fixture.run([source]).rejected == 0)
        #expect(try fixture.fixture.rows("SELECT count(*), sum(ZID) FROM ZNODE") == ["2|3"])
        #expect(try fixture.fixture.rows("SELECT count(*), sum(ZID) FROM ZWAY") == ["2|7"])
    }

    @Test(arguments: [
        #"{"a": 1}"#, "{\"a\": 1}\n{\"a\": 2}\n", "[{\"a\": 1}]", #"{"a": [1, 2]}"#, "", "[]",
        #"{"x": "{[", "y": "\"]"}"#,
        #"{"a\"b": [{"c": 1}]}"#,
    ])
    func jsonWithoutAnArrayOfRecordsIsReadFromItsRoot(_ text: String) throws {
        let fixture = try DraftFixture(DraftFixture.entity("Thing", "a"))
        let source = try fixture.fixture.write(text, as: "things.json")
        #expect(try JSONRecordFinding.records(in: source) == nil)
    }
}
