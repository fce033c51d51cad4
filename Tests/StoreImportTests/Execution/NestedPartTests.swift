import ImportMappings
import ImportTestSupport
import RecordSources
import StoreImport
import Testing

/// Parts of records that have no key and lead to such parts themselves: found again through one another.
@Suite struct NestedPartTests {
    private static func toOne(_ name: String, _ entity: String, _ inverse: String) -> String {
        "<relationship name=\"\(name)\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"\(entity)\" "
            + "inverseName=\"\(inverse)\" inverseEntity=\"\(entity)\"/>"
    }

    private static func toMany(_ name: String, _ entity: String, _ inverse: String) -> String {
        toOne(name, entity, inverse).replacing("maxCount=\"1\"", with: "toMany=\"YES\"")
    }

    private static func text(_ name: String) -> String {
        "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
    }

    private func fixture() throws -> ImportFixture {
        let (text, toOne, toMany) = (Self.text, Self.toOne, Self.toMany)
        return try ImportFixture(
            entities: """
                <entity name="Line">\(text("name"))\(toMany("flights", "Flight", "line"))</entity>
                <entity name="Flight">\(text("number"))\(toOne("line", "Line", "flights"))
                \(toMany("legs", "Leg", "flight"))\(toOne("crew", "Crew", "flight"))</entity>
                <entity name="Leg">\(text("to"))\(toOne("flight", "Flight", "legs"))\(toOne("meal", "Meal", "leg"))
                \(toOne("gate", "Gate", "legs"))</entity>
                <entity name="Meal">\(text("dish"))\(toOne("leg", "Leg", "meal"))\(toOne("wine", "Wine", "meal"))</entity>
                <entity name="Wine">\(text("grape"))\(toOne("meal", "Meal", "wine"))</entity>
                <entity name="Gate">\(text("code"))\(toMany("legs", "Leg", "gate"))</entity>
                <entity name="Crew">\(text("captain"))\(toOne("flight", "Flight", "crew"))</entity>
                """)
    }

    /// Flights are told apart by their line too; legs, meals, wines, gates and crews have no key.
    private static let mapping = """
        import: 1
        sources:
          - files: lines.csv
            entity: Line
            key: name
            attributes: [name]
          - files: flights.json
            entity: Flight
            key: [number, line]
            attributes: [number]
            relationships:
              line: {by: name, from: line}
              crew: {each: crew, entity: Crew, attributes: [captain]}
              legs:
                each: legs[*]
                entity: Leg
                attributes: [to]
                relationships:
                  gate: {each: gate, entity: Gate, attributes: {code: .}}
                  meal:
                    each: meal
                    entity: Meal
                    attributes: [dish]
                    relationships:
                      wine: {each: wine, entity: Wine, attributes: [grape]}
        """

    private static let flights = """
        [{"number": "1", "line": "Red", "crew": {"captain": "Ann"}, "legs": [
        {"to": "A", "gate": "g1", "meal": {"dish": "soup", "wine": {"grape": "Pinot"}}},
        {"to": "A", "gate": "g1", "meal": {"dish": "cake"}}, {"to": "B"}]},
        {"number": "1", "line": "Blue", "crew": {"captain": "Bob"}, "legs": [{"to": "A", "meal": {"dish": "soup"}}]}]
        """

    private func run(_ text: String, in fixture: ImportFixture, rows: Int) throws -> ImportReport {
        let sources = [
            try fixture.write("name\nRed\nBlue\n", as: "lines.csv"), try fixture.write(text, as: "flights.json"),
        ]
        let mapping = try ImportMapping(yaml: Self.mapping)
        let report = try fixture.run(
            sources, .mapping(mapping), options: ImportOptions(limits: RecordBatch.Limits(rows: rows)))
        #expect(report.rejected == 0 && report.findings == [])
        #expect(try fixture.faults() == [])
        return report
    }

    private func changed(_ report: ImportReport) -> [String] {
        report.entities.filter { $0.inserted + $0.updated + $0.related + $0.unrelated > 0 }.map(\.entity)
    }

    private let meals = """
        SELECT f.ZNUMBER, n.ZNAME, c.ZCAPTAIN, l.ZTO, g.ZCODE, m.ZDISH, w.ZGRAPE FROM ZLEG l
        JOIN ZFLIGHT f ON f.Z_PK = l.ZFLIGHT JOIN ZLINE n ON n.Z_PK = f.ZLINE LEFT JOIN ZCREW c ON c.Z_PK = f.ZCREW
        LEFT JOIN ZGATE g ON g.Z_PK = l.ZGATE LEFT JOIN ZMEAL m ON m.Z_PK = l.ZMEAL LEFT JOIN ZWINE w ON w.Z_PK = m.ZWINE
        ORDER BY f.Z_PK, l.Z_PK
        """

    @Test(arguments: [1, 1000])
    func theSameFileAgainMakesNoPartAnew(rows: Int) throws {
        let fixture = try fixture()
        let first = try run(Self.flights, in: fixture, rows: rows)
        let rows1 = try fixture.rows(meals)
        #expect(
            rows1 == [
                "1|Red|Ann|A|g1|soup|Pinot", "1|Red|Ann|A|g1|cake|NULL", "1|Red|Ann|B|NULL|NULL|NULL",
                "1|Blue|Bob|A|NULL|soup|NULL",
            ])
        #expect(first.entities.reduce(0) { $0 + $1.inserted } == 16)
        let versions =
            "SELECT (SELECT sum(Z_OPT) FROM ZLEG), (SELECT sum(Z_OPT) FROM ZMEAL), (SELECT sum(Z_OPT) FROM ZFLIGHT)"
        let before = try fixture.rows(versions)
        #expect(changed(try run(Self.flights, in: fixture, rows: rows)) == [])
        #expect(try fixture.rows(meals) == rows1)
        #expect(try fixture.rows(versions) == before)
    }

    @Test(arguments: [1, 1000])
    func aPartBehindAPartIsChangedInItsPlace(rows: Int) throws {
        let fixture = try fixture()
        _ = try run(Self.flights, in: fixture, rows: rows)
        let other = Self.flights.replacing("Pinot", with: "Merlot").replacing("Bob", with: "Bea")
        let report = try run(other, in: fixture, rows: rows)
        #expect(changed(report).sorted() == ["Crew", "Wine"])
        #expect(report.entities.allSatisfy { $0.inserted == 0 })
        #expect(try fixture.rows("SELECT ZGRAPE FROM ZWINE") == ["Merlot"])
        #expect(try fixture.rows("SELECT ZCAPTAIN FROM ZCREW ORDER BY 1") == ["Ann", "Bea"])
    }

    @Test func aNullEndsTheLinkOfAPartBehindAPartToo() throws {
        let fixture = try fixture()
        _ = try run(Self.flights, in: fixture, rows: 1000)
        let other = Self.flights.replacing(#", "wine": {"grape": "Pinot"}"#, with: #", "wine": null"#)
        let report = try run(other, in: fixture, rows: 1000)
        #expect(changed(report) == ["Meal"])
        #expect(try fixture.rows(meals).first == "1|Red|Ann|A|g1|soup|NULL")
        #expect(try fixture.rows("SELECT ZGRAPE, ZMEAL FROM ZWINE") == ["Pinot|NULL"])
    }
}
