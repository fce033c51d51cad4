@testable import StoreImport
import TestSupport
import Testing

/// Uniqueness constraints that an entity inherits tell its objects apart, as its own do.
@Suite struct InheritedKeyTests {
    private static let model = """
        <entity name="Place"><attribute name="code" optional="YES" attributeType="String"/>
        \(DraftFixture.unique("code"))</entity>
        <entity name="City" parentEntity="Place"><attribute name="size" optional="YES" attributeType="Integer 32"/>
        <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="city" \
        inverseEntity="Person"/></entity>
        <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="city" optional="YES" maxCount="1" destinationEntity="City" inverseName="people" \
        inverseEntity="City"/></entity>
        """

    @Test func aRelationshipThatNamesNoAttributeFindsObjectsByAnInheritedConstraint() throws {
        let fixture = try ImportFixture(entities: Self.model)
        try fixture.run("code,size\nb,1\nk,2\n", as: "cities.csv", mapping: "entity: City\nattributes: [code, size]\n")
        // The constraint is the key of the mapping, too.
        try fixture.run("code,size\nk,3\n", as: "cities.csv", mapping: "entity: City\nattributes: [code, size]\n")
        try fixture.run(
            "name,city\na,k\nc,b\n", as: "people.csv",
            mapping: "entity: Person\nattributes: [name]\nrelationships: {city: {from: city}}\n")
        #expect(
            try fixture.rows(
                "SELECT p.ZNAME, c.ZCODE, c.ZSIZE FROM ZPERSON p JOIN ZPLACE c ON c.Z_PK = p.ZCITY ORDER BY 1")
                == ["a|k|3", "c|b|1"])
    }
}
