import ImportTestSupport
import PersistentStores
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Objects that one record makes several times, or that it names as well.
@Suite struct RepeatedObjectTests {
    private static let entities = """
        <entity name="Airport"><attribute name="code" optional="YES" attributeType="Integer 32"/>
        <attribute name="name" optional="YES" attributeType="Integer 32"/>
        <relationship name="hub" optional="YES" maxCount="1" destinationEntity="Airport" inverseName="others" \
        inverseEntity="Airport"/>
        <relationship name="others" optional="YES" toMany="YES" destinationEntity="Airport" inverseName="hub" \
        inverseEntity="Airport"/></entity>
        """

    /// The first object of a record makes the airport that the record names; its other objects find it.
    @Test(arguments: [1, 2, 3, 7, 1000], [false, true])
    func onlyTheFirstObjectMakesWhatTheRecordNames(rows: Int, isThere: Bool) throws {
        let fixture = try ImportFixture(entities: Self.entities)
        let mapping = """
            files: flights*.json
            objects:
              - {entity: Airport, key: code, onMatch: fill, attributes: {code: origin},
                 relationships: {hub: {by: code, from: originHub, onMissing: create}}}
              - {entity: Airport, key: code, onMatch: fill, attributes: {code: stop, name: stopName}}
              - {entity: Airport, key: code, onMatch: fill, attributes: {code: target, name: targetName}}

            """
        let options = ImportOptions(rows: rows, .sqlite)
        if isThere { try fixture.run("", as: "flights.json", mapping: mapping, options: options) }
        let records = """
            {"origin": 1, "originHub": 2, "stop": 2, "stopName": 20, "target": 2, "targetName": 21}
            {"origin": 3, "originHub": 1, "stop": 4, "stopName": null, "target": 4, "targetName": 40}
            {"origin": 4, "originHub": 5, "stop": 5, "stopName": null, "target": 5, "targetName": 50}
            {"origin": 5, "originHub": 2, "stop": 5, "stopName": 51, "target": 1, "targetName": 10}
            """
        let report = try fixture.run(records, as: "flights.json", mapping: mapping, options: options)
        #expect(report.rejected == 0)
        #expect(
            try fixture.rows(
                "SELECT a.ZCODE, a.ZNAME, h.ZCODE FROM ZAIRPORT a LEFT JOIN ZAIRPORT h ON h.Z_PK = a.ZHUB ORDER BY 1")
                == ["1|10|2", "2|20|NULL", "3|NULL|1", "4|40|5", "5|50|2"])
    }

    /// Of an airport whose record is rejected in the end a link counts again, if only records that are rejected, too,
    /// have led it elsewhere: the airport is created because the link names it.
    @Test(arguments: [1, 2, 3, 7, 1000], [false, true])
    func linksCountAgainThatOnlyRejectedRecordsHaveLedElsewhere(rows: Int, isThere: Bool) throws {
        let entities = """
            <entity name="Airport"><attribute name="code" optional="YES" attributeType="Integer 32"/>
            <attribute name="name" optional="YES" attributeType="Integer 32"/>
            <relationship name="hub" optional="YES" maxCount="1" destinationEntity="Airport" inverseName="others" \
            inverseEntity="Airport"/>
            <relationship name="others" optional="YES" toMany="YES" destinationEntity="Airport" inverseName="hub" \
            inverseEntity="Airport"/>
            <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Airport" inverseName="owned" \
            inverseEntity="Airport"/>
            <relationship name="owned" optional="YES" toMany="YES" destinationEntity="Airport" inverseName="owner" \
            inverseEntity="Airport"/></entity>
            """
        let fixture = try ImportFixture(entities: entities)
        let mapping = """
            files: airports*.json
            entity: Airport
            key: code
            attributes: [code, name]
            relationships:
              hub: {by: code, from: hub, onMissing: create}
              owner: {by: code, from: owner, onMissing: error}

            """
        let options = ImportOptions(rows: rows, .sqlite)
        if isThere { try fixture.run("", as: "airports.json", mapping: mapping, options: options) }
        // The first one, and the third one, need an airport that is nowhere.
        let records = """
            {"code": 1, "name": 10, "owner": 90}
            {"code": 2, "hub": 1, "owner": 3}
            {"code": 2, "hub": 3, "owner": 91}
            {"code": 3}
            """
        let report = try fixture.run(records, as: "airports.json", mapping: mapping, options: options)
        #expect(report.rejected == 2)
        #expect(
            try fixture.rows(
                "SELECT a.ZCODE, a.ZNAME, h.ZCODE, o.ZCODE FROM ZAIRPORT a LEFT JOIN ZAIRPORT h ON h.Z_PK = a.ZHUB "
                    + "LEFT JOIN ZAIRPORT o ON o.Z_PK = a.ZOWNER ORDER BY 1")
                == ["1|NULL|NULL|NULL", "2|NULL|1|3", "3|NULL|NULL|NULL"])
        let airports = try #require(report.entities.first)
        #expect(airports.inserted == 3)
        #expect(airports.related == 2)
    }
}
