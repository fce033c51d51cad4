@testable import StoreImport
import Testing

/// XML elements that are repeated where a mapping means one of them: nothing of them is left out without a word.
@Suite struct RepeatedElementTests {
    private static let text =
        "<list><r><id>a</id><p>1</p></r><r><id>b</id><p>1</p><q/><p>2</p></r>"
        + "<r><id>c</id><in><p>3</p><p>4</p></in></r></list>"

    private func run(_ value: String) throws -> (names: [String], rejections: [String]) {
        let fixture = try ImportFixture(entities: DraftFixture.entity("Note", "id", "text"))
        let report = try fixture.run(
            Self.text, as: "notes.xml",
            mapping: "records: r\nentity: Note\nattributes: {id: id, text: '\(value)'}\n")
        return (try fixture.rows("SELECT ZID, ZTEXT FROM ZNOTE ORDER BY 1"), report.firstRejections)
    }

    @Test func anElementThatIsRepeatedIsNoSingleValue() throws {
        let (names, rejections) = try run("p")
        #expect(names == ["a|1", "c|NULL"])
        #expect(rejections.count == 1 && rejections[0].contains("an object or list where a single value is expected"))
    }

    @Test func soItIsBehindAnotherName() throws {
        let (names, rejections) = try run("in.p")
        #expect(names == ["a|NULL", "b|NULL"] && rejections.count == 1)
    }

    @Test(arguments: [("p[0]", ["a|1", "b|1", "c|NULL"]), ("in.p[1]", ["a|NULL", "b|NULL", "c|4"])])
    func aPathSaysWhichOneIsMeant(_ path: String, _ expected: [String]) throws {
        let (names, rejections) = try run(path)
        #expect(names == expected && rejections.isEmpty)
    }

    private static let nested =
        "<list><r><id>a</id><in><p>1</p></in></r><r><id>b</id><in><p>1</p></in><q/><in><p>2</p></in></r>"
        + "<r><id>c</id><in/><in><p>3</p></in></r><r><id>d</id><out><in><p>4</p></in><in/></out></r></list>"

    private func runNested(_ text: String, as name: String, records: String, _ value: String) throws -> (
        names: [String], rejections: [String]
    ) {
        let fixture = try ImportFixture(entities: DraftFixture.entity("Note", "id", "text"))
        let report = try fixture.run(
            text, as: name, mapping: "records: '\(records)'\nentity: Note\nattributes: {id: id, text: '\(value)'}\n")
        return (try fixture.rows("SELECT ZID, ZTEXT FROM ZNOTE ORDER BY 1"), report.firstRejections)
    }

    @Test func anElementOnTheWayThatIsRepeatedIsNoSingleValueEither() throws {
        let (names, rejections) = try runNested(Self.nested, as: "notes.xml", records: "r", "in.p")
        #expect(names == ["a|1", "d|NULL"])
        #expect(rejections.count == 2)
        #expect(rejections.allSatisfy { $0.contains("an object or list where a single value is expected") })
        #expect(try runNested(Self.nested, as: "notes.xml", records: "r", "out.in.p").rejections.count == 1)
    }

    @Test func aPathSaysWhichElementOnTheWayIsMeant() throws {
        let (names, rejections) = try runNested(Self.nested, as: "notes.xml", records: "r", "in[1].p")
        #expect(names == ["a|NULL", "b|2", "c|3", "d|NULL"] && rejections.isEmpty)
        #expect(
            try runNested(Self.nested, as: "notes.xml", records: "r", "in[*].p").names
                == ["a|1", "b|1", "c|3", "d|NULL"])
    }

    @Test func soItIsBehindElementsThatDoNotHaveIt() throws {
        let text =
            "<list><r><id>a</id><in/><in><p>1</p></in></r><r><id>b</id><in/><in><p>1</p><p>2</p></in></r></list>"
        let (names, rejections) = try runNested(text, as: "notes.xml", records: "r", "in[*].p")
        #expect(names == ["a|1"])
        #expect(rejections.count == 1 && rejections[0].contains("an object or list where a single value is expected"))
    }

    @Test func soItIsWithArraysOfJSON() throws {
        let text = """
            [{"id": "a", "in": {"p": "1"}}, {"id": "b", "in": [{"p": "1"}, {"p": "2"}]}, {"id": "c", "in": []},
            {"id": "d", "in": null}]
            """
        let (names, rejections) = try runNested(text, as: "notes.json", records: "[*]", "in.p")
        #expect(names == ["a|1", "c|NULL", "d|NULL"])
        #expect(rejections.count == 1 && rejections[0].contains("an object or list where a single value is expected"))
    }
}
