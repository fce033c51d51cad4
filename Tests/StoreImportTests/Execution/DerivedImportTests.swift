import Foundation
import RecordSources
import StoreImport
import TestSupport
import Testing

/// Imports into stores with derived attributes, which triggers keep.
@Suite struct DerivedImportTests {
    @Test(arguments: [ImportOptions.Commit.whole, .batch])
    func derivedAttributesAreRightInNewStoresAndInThoseThatAreThere(commit: ImportOptions.Commit) throws {
        let fixture = try ImportFixture(
            entities: """
                <entity name="Team"><attribute name="code" attributeType="String"/>
                <attribute name="size" optional="YES" attributeType="Integer 64" derived="YES" \
                derivationExpression="members.@count"/>
                <relationship name="members" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" \
                inverseEntity="Person"/></entity>
                <entity name="Person"><attribute name="name" attributeType="String"/>
                <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="members" \
                inverseEntity="Team"/></entity>
                """)
        let mapping = """
            entity: Person
            key: name
            attributes: [name]
            relationships:
              team: {by: code, from: team, onMissing: create}
            """
        let options = ImportOptions(limits: RecordBatch.Limits(rows: 2), commit: commit)
        let sizes = "SELECT ZCODE, ZSIZE FROM ZTEAM ORDER BY 1"
        try fixture.run("name,team\na,x\nb,x\nc,y\n", as: "p.csv", mapping: mapping, options: options)
        #expect(try fixture.rows(sizes) == ["x|2", "y|1"])
        try fixture.run("name,team\nd,y\nb,y\ne,z\n", as: "p.csv", mapping: mapping, options: options)
        #expect(try fixture.rows(sizes) == ["x|1", "y|3", "z|1"])
    }
}
