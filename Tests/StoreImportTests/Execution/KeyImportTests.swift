import Foundation
import StoreImport
import TestSupport
import Testing

/// Objects found by keys of several parts, and by those of other objects.
@Suite struct KeyImportTests {
    private let fixture: ImportFixture

    init() throws {
        fixture = try ImportFixture(
            entities: """
                <entity name="Country"><attribute name="code" attributeType="String"/>
                <relationship name="cities" optional="YES" toMany="YES" destinationEntity="City" inverseName="country" \
                inverseEntity="City"/></entity>
                <entity name="City"><attribute name="name" attributeType="String"/>
                <attribute name="number" optional="YES" attributeType="Integer 16"/>
                <relationship name="country" optional="YES" maxCount="1" destinationEntity="Country" inverseName="cities" \
                inverseEntity="Country"/>
                <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="city" \
                inverseEntity="Person"/></entity>
                <entity name="Person"><attribute name="name" attributeType="String"/>
                <relationship name="city" optional="YES" maxCount="1" destinationEntity="City" inverseName="people" \
                inverseEntity="City"/></entity>
                """)
        try fixture.run(
            "name,number,country\nRome,1,I\nRome,2,U\nParis,1,F\n", as: "cities.csv",
            mapping: """
                entity: City
                key: [name, country]
                attributes: [name, number]
                relationships:
                  country: {by: code, from: country, onMissing: create}
                """)
    }

    private let homes = """
        SELECT p.ZNAME, c.ZNAME, n.ZCODE FROM ZPERSON p LEFT JOIN ZCITY c ON c.Z_PK = p.ZCITY
        LEFT JOIN ZCOUNTRY n ON n.Z_PK = c.ZCOUNTRY ORDER BY 1
        """

    @Test func aKeyThroughARelationshipTellsObjectsApart() throws {
        #expect(try fixture.rows("SELECT count(*) FROM ZCITY") == ["3"])
        #expect(try fixture.rows("SELECT count(*) FROM ZCOUNTRY") == ["3"])
    }

    @Test func aReferenceBySeveralValuesOneBehindARelationship() throws {
        let report = try fixture.run(
            "name,city,country\na,Rome,U\nb,Rome,I\nc,Paris,\nd,Oslo,N\n", as: "p.csv",
            mapping: """
                entity: Person
                key: name
                attributes: [name]
                relationships:
                  city: {by: {name: city, country.code: country}}
                """)
        #expect(try fixture.rows(homes) == ["a|Rome|U", "b|Rome|I", "c|NULL|NULL", "d|NULL|NULL"])
        #expect(report.unresolvedLinks == 1 || report.rejected == 1)
        #expect(try fixture.faults() == [])
    }

    @Test func anObjectIsMadeOfAKeyOfSeveralAttributes() throws {
        for _ in 0..<2 {
            try fixture.run(
                "name,city,number\na,Rome,2\nb,Oslo,4\nc,Oslo,4\n", as: "p.csv",
                mapping: """
                    entity: Person
                    key: name
                    attributes: [name]
                    relationships:
                      city: {by: {name: city, number: number}, onMissing: create}
                    """)
        }
        #expect(try fixture.rows(homes) == ["a|Rome|U", "b|Oslo|NULL", "c|Oslo|NULL"])
        #expect(try fixture.rows("SELECT count(*) FROM ZCITY") == ["4"])
    }

    @Test func severalObjectsWithOneKeyAreAFindingAndTheFirstCounts() throws {
        let report = try fixture.run(
            "name,city\na,Rome\n", as: "p.csv",
            mapping: "entity: Person\nkey: name\nattributes: [name]\nrelationships:\n  city: {by: name, from: city}\n")
        #expect(try fixture.rows(homes) == ["a|Rome|I"])
        #expect(report.findings.contains { $0.contains("City") && $0.contains("name") })
    }
}
