import Foundation
import StoreImport
import TestSupport
import Testing

/// Links that replace others, keep an order, or lie between parts of a record.
@Suite struct LinkImportTests {
    private static func attribute(_ name: String, _ type: String = "String") -> String {
        "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\"/>"
    }

    private static func toMany(_ name: String, _ entity: String, _ inverse: String, ordered: Bool = false) -> String {
        "<relationship name=\"\(name)\" optional=\"YES\" toMany=\"YES\" \(ordered ? "ordered=\"YES\" " : "")"
            + "destinationEntity=\"\(entity)\" inverseName=\"\(inverse)\" inverseEntity=\"\(entity)\"/>"
    }

    private static func toOne(_ name: String, _ entity: String, _ inverse: String) -> String {
        "<relationship name=\"\(name)\" optional=\"YES\" maxCount=\"1\" "
            + "destinationEntity=\"\(entity)\" inverseName=\"\(inverse)\" inverseEntity=\"\(entity)\"/>"
    }

    private static let countries = """
        <entity name="Country">\(attribute("code"))\(toMany("borders", "Country", "borders"))</entity>
        """
    private static let borders = """
        entity: Country
        key: code
        attributes: [code]
        relationships:
          borders: {by: code, from: 'borders[*]'}
        """
    private let pairs = """
        SELECT a.ZCODE || b.ZCODE FROM Z_1BORDERS j JOIN ZCOUNTRY a ON a.Z_PK = j.REFLEXIVE
        JOIN ZCOUNTRY b ON b.Z_PK = j.Z_1BORDERS ORDER BY 1
        """

    @Test func aLinkOfARelationshipThatIsItsOwnInverseHasBothDirectionsAndStaysWhereEitherNamesIt()
        throws
    {
        let fixture = try ImportFixture(entities: Self.countries)
        let text = #"[{"code": "A", "borders": ["B", "C"]}, {"code": "B", "borders": ["A"]}, {"code": "C"}]"#
        let first = try fixture.run(text, as: "c.json", mapping: Self.borders)
        #expect(try fixture.rows(pairs) == ["AB", "AC", "BA", "CA"])
        #expect(first.entities.first?.related == 2)
        let second = try fixture.run(text, as: "c.json", mapping: Self.borders)
        #expect(second.entities.allSatisfy { $0.related == 0 && $0.unrelated == 0 && $0.updated == 0 })
        let fewer = #"[{"code": "A", "borders": []}, {"code": "B", "borders": ["C"]}]"#
        let third = try fixture.run(fewer, as: "c.json", mapping: Self.borders)
        #expect(try fixture.rows(pairs) == ["BC", "CB"])
        #expect(third.entities.first?.unrelated == 2)
        #expect(try fixture.faults() == [])
    }

    private static let albums = """
        <entity name="Album">\(attribute("name"))\(toMany("songs", "Song", "albums", ordered: true))</entity>
        <entity name="Song">\(attribute("title"))\(toMany("albums", "Album", "songs"))</entity>
        """
    private static let songs = """
        entity: Album
        key: name
        attributes: [name]
        relationships:
          songs: {by: title, from: 'songs[*]', onMissing: create}
        """
    private let order = """
        SELECT a.ZNAME, group_concat(s.ZTITLE, '') FROM (SELECT * FROM Z_1SONGS ORDER BY Z_FOK_2SONGS) j
        JOIN ZALBUM a ON a.Z_PK = j.Z_1ALBUMS JOIN ZSONG s ON s.Z_PK = j.Z_2SONGS GROUP BY 1
        """

    @Test func aListInAnotherOrderChangesTheOrderAnEmptyOneEndsAllLinksNoneLeavesThem() throws {
        let fixture = try ImportFixture(entities: Self.albums)
        func run(_ songs: String) throws -> ImportReport.EntityReport? {
            try fixture.run(#"[{"name": "a"\#(songs)}]"#, as: "a.json", mapping: Self.songs).entities.first
        }
        _ = try run(#", "songs": ["x", "y", "z"]"#)
        #expect(try fixture.rows(order) == ["a|xyz"])
        #expect(try fixture.rows("SELECT Z_FOK_2SONGS FROM Z_1SONGS ORDER BY 1") == ["2048", "3072", "4096"])
        _ = try run(#", "songs": ["z", "w", "x"]"#)
        #expect(try fixture.rows(order) == ["a|zwx"])
        let same = try run(#", "songs": ["z", "w", "x"]"#)
        #expect(same?.related == 0 && same?.unrelated == 0 && same?.updated == 0)
        _ = try run("")
        #expect(try fixture.rows(order) == ["a|zwx"])
        #expect(try fixture.faults() == [])
        let none = try run(#", "songs": []"#)
        #expect(none?.unrelated == 3)
        #expect(try fixture.rows(order) == [])
    }

    @Test func recordsOfAJoinTableAddLinksInTheOrderOfAColumn() throws {
        let fixture = try ImportFixture(entities: Self.albums)
        let mapping = """
            entity: Album
            key: name
            attributes: [name]
            relationships:
              songs: {by: title, from: song, onMissing: create, add: true, order: track}
            """
        try fixture.run("name,song,track\na,x,10\na,y,9\nb,y,1\na,z,100\n", as: "j.csv", mapping: mapping)
        #expect(try fixture.rows(order) == ["a|yxz", "b|y"])
        let again = try fixture.run("name,song,track\na,z,1\na,x,10\na,y,9\n", as: "j.csv", mapping: mapping)
        #expect(again.entities.allSatisfy { $0.related == 0 && $0.unrelated == 0 })
        #expect(try fixture.rows(order) == ["a|zyx", "b|y"])
        #expect(try fixture.faults() == [])
    }

    @Test func aBadKeyInAListRejectsItsRecord() throws {
        let fixture = try ImportFixture(
            entities: """
                <entity name="Album">\(Self.attribute("name"))\(Self.toMany("songs", "Song", "albums"))</entity>
                <entity name="Song">\(Self.attribute("number", "Integer 16"))\(Self.toMany("albums", "Album", "songs"))</entity>
                """)
        let mapping = """
            entity: Album
            key: name
            attributes: [name]
            relationships:
              songs: {by: number, from: songs, separator: ';', onMissing: create}
            """
        let report = try fixture.run("name,songs\na,1;2\nb,1;x\nc,70000\n", as: "a.csv", mapping: mapping)
        #expect(report.rejected == 2)
        #expect(try fixture.rows("SELECT ZNAME FROM ZALBUM") == ["a"])
        #expect(try fixture.rows("SELECT ZNUMBER FROM ZSONG ORDER BY 1") == ["1", "2"])
    }

    @Test func partsOfPartsAreLinkedToThePartThatTheyLieIn() throws {
        let fixture = try ImportFixture(
            entities: """
                <entity name="Book">\(Self.attribute("name"))\(Self.toMany("chapters", "Chapter", "book"))</entity>
                <entity name="Chapter">\(Self.attribute("title"))\(Self.toOne("book", "Book", "chapters"))\
                \(Self.toMany("notes", "Note", "chapter"))</entity>
                <entity name="Note">\(Self.attribute("text"))\(Self.toOne("chapter", "Chapter", "notes"))</entity>
                """)
        let mapping = """
            entity: Book
            key: name
            attributes: [name]
            relationships:
              chapters:
                each: chapters[*]
                where: {title: {not: [skip]}}
                entity: Chapter
                key: [book, title]
                attributes: [title]
                relationships:
                  notes: {each: 'notes[*]', entity: Note, attributes: {text: .}}
            """
        let parts = """
            SELECT b.ZNAME, c.ZTITLE, group_concat(n.ZTEXT, '') FROM ZCHAPTER c JOIN ZBOOK b ON b.Z_PK = c.ZBOOK
            LEFT JOIN ZNOTE n ON n.ZCHAPTER = c.Z_PK GROUP BY c.Z_PK ORDER BY 1, 2
            """
        let text = """
            [{"name": "b", "chapters": [{"title": "1", "notes": ["x", "y"]}, {"title": "2", "notes": ["z"]},
            {"title": "skip", "notes": ["no"]}]}, {"name": "a", "chapters": [{"title": "1", "notes": ["w"]}]}]
            """
        #expect(throws: (any Error).self) { try fixture.run(text, as: "b.json", mapping: mapping) }
        let unkeyed = mapping.replacingOccurrences(of: "    key: [book, title]\n", with: "")
        try fixture.run(text, as: "b.json", mapping: unkeyed)
        #expect(try fixture.rows(parts) == ["a|1|w", "b|1|xy", "b|2|z"])
        #expect(try fixture.faults() == [])
    }

    @Test func theOwnerOfLinksMayBeOfAnHeir() throws {
        let fixture = try ImportFixture(
            entities: """
                <entity name="Person">\(Self.attribute("name"))\(Self.toMany("tasks", "Task", "person"))</entity>
                <entity name="Boss" parentEntity="Person"/>
                <entity name="Task">\(Self.attribute("title"))\(Self.toOne("person", "Person", "tasks"))</entity>
                """)
        try fixture.run("name\nx\n", as: "boss.csv", mapping: "entity: Boss\nkey: name\nattributes: [name]")
        let mapping = """
            entity: Person
            key: name
            attributes: [name]
            relationships:
              tasks: {by: title, from: tasks, separator: ';', onMissing: create}
            """
        try fixture.run("name,tasks\nx,a;b\ny,c\n", as: "p.csv", mapping: mapping)
        #expect(try fixture.rows("SELECT ZTITLE, Z1_PERSON FROM ZTASK ORDER BY 1") == ["a|2", "b|2", "c|1"])
        #expect(try fixture.faults() == [])
    }

    @Test func toOnesThatLeadRoundInACircleAreWrittenWhenAllObjectsAreThere() throws {
        let fixture = try ImportFixture(
            entities: """
                <entity name="A">\(Self.attribute("name"))\(Self.toOne("b", "B", "others"))\(Self.toMany("others", "B", "a"))</entity>
                <entity name="B">\(Self.attribute("name"))\(Self.toOne("a", "A", "others"))\(Self.toMany("others", "A", "b"))</entity>
                """)
        let mapping = """
            objects:
              - {id: a, entity: A, key: name, attributes: [name], relationships: {b: {object: b}}}
              - {id: b, entity: B, key: name, attributes: [name], relationships: {a: {object: a}}}
            """
        for _ in 0..<2 { try fixture.run("name\nx\ny\n", as: "c.csv", mapping: mapping) }
        #expect(
            try fixture.rows(
                "SELECT a.ZNAME, b.ZNAME, b.ZA = a.Z_PK, a.Z_OPT, b.Z_OPT FROM ZA a JOIN ZB b ON b.Z_PK = a.ZB ORDER BY 1"
            )
                == ["x|x|1|2|1", "y|y|1|2|1"])
        #expect(try fixture.faults() == [])
    }
}
