import ImportMappings
import StoreImport
import Testing

/// Drafts for files that have each a part of what an entity needs, as transit feeds are.
@Suite struct PartialSourceDraftTests {
    private func fixture() throws -> DraftFixture {
        func required(_ name: String, _ type: String) -> String {
            "<attribute name='\(name)' attributeType='\(type)'/>"
        }
        return try DraftFixture(
            DraftFixture.entity(
                "Fare", "id", "zone",
                more: required("currency", "String") + required("price", "Double")
                    + "<relationship name='routes' optional='YES' toMany='YES' destinationEntity='Route' inverseName='fares' "
                    + "inverseEntity='Route'/>" + DraftFixture.unique("id"))
                + DraftFixture.entity(
                    "Route", "id",
                    more:
                        "<relationship name='fares' optional='YES' toMany='YES' destinationEntity='Fare' inverseName='routes' "
                        + "inverseEntity='Fare'/>" + DraftFixture.unique("id"))
                + DraftFixture.entity(
                    "Frequency", more: required("headway", "Integer 32") + required("runsMonday", "Boolean")))
    }

    @Test func aFileWithoutWhatNewObjectsNeedAddsToThoseOfAnotherFile() throws {
        let fixture = try fixture()
        let sources = [
            try fixture.fixture.write("fare_id,price,currency_type\np,1.25,USD\na,5,USD\n", as: "fare_attributes.txt"),
            try fixture.fixture.write(
                "fare_id,route_id,origin_id,contains_id\np,AB,,\np,BFC,,\na,AB,,\n", as: "fare_rules.txt"),
            try fixture.fixture.write("route_id\nAB\nBFC\n", as: "routes.txt"),
        ]
        let draft = try fixture.draft(sources)
        let fares = draft.mapping.sources.flatMap(\.objects).filter { $0.entity == "Fare" }
        #expect(fares.map(\.onMissing) == [.create, .error])
        #expect(fares.last?.relationships.map(\.adds) == [true])
        for changes in [true, false] {
            let report = try fixture.run(sources)
            #expect(!report.hasFindings)
            #expect(report.entities.contains { $0.inserted + $0.updated + $0.related + $0.unrelated > 0 } == changes)
        }
        let links =
            "SELECT f.ZID, r.ZID FROM Z_1ROUTES j JOIN ZFARE f ON f.Z_PK = j.Z_1FARES JOIN ZROUTE r ON r.Z_PK = j.Z_3ROUTES"
        #expect(try fixture.fixture.rows(links + " ORDER BY 1, 2") == ["a|AB", "p|AB", "p|BFC"])
        #expect(try fixture.fixture.rows("SELECT ZCURRENCY, ZZONE FROM ZFARE WHERE ZID = 'p'") == ["USD|NULL"])
    }

    @Test(arguments: [
        ("headway_secs,monday", true), ("headway_secs,headway_note,monday", false), ("headway_secs,tuesday", false),
    ])
    func aRequiredAttributeGetsTheOnlyColumnWithItsWords(header: String, isWhole: Bool) throws {
        let fixture = try fixture()
        let row = header.split(separator: ",").map { _ in "1" }.joined(separator: ",")
        let draft = try fixture.draft([try fixture.fixture.write("\(header)\n\(row)\n", as: "frequencies.txt")])
        #expect(
            (draft.mapping.sources[0].objects[0].attributes.map(\.attribute).sorted() == ["headway", "runsMonday"])
                == isWhole)
    }
}
