import Foundation
import ImportTestSupport
import PersistentStores
import StoreImport
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources

/// Records with objects that have no key, and that lose a link: they are imported again where these objects are found
/// through the one that they belong to.
@Suite struct UnlinkedPartTests {
    private static let model =
        PersonModel.entity(
            PersonModel.numbered,
            more: """
                <relationship name="addresses" optional="YES" toMany="YES" destinationEntity="Address" inverseName="person" \
                inverseEntity="Person"/>
                """) + """
            <entity name="Address"><attribute name="street" optional="YES" attributeType="String"/>
            <relationship name="person" optional="YES" maxCount="1" destinationEntity="Person" inverseName="addresses" \
            inverseEntity="Person"/></entity>
            """

    private static let objects = """
        SELECT p.ZNUM, b.ZNUM, ifnull((SELECT group_concat(ZSTREET, ';') FROM
        (SELECT ZSTREET FROM ZADDRESS WHERE ZPERSON = p.Z_PK ORDER BY 1)), '')
        FROM ZPERSON p LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS ORDER BY 1
        """

    private func mapping(_ addresses: String) throws -> ImportMapping {
        try ImportMapping(
            yaml: """
                import: 1
                files: people*.csv
                objects:
                  - id: person
                    entity: Person
                    key: num
                    attributes: [num, name]
                    relationships:
                      boss: {by: num, from: boss}
                \(addresses)
                """)
    }

    private func run(
        _ fixture: ImportFixture, _ text: String, as name: String, _ mapping: ImportMapping, rows: Int,
        _ writer: NewStoreWriter, rejects: String? = nil
    ) throws -> ImportReport {
        try fixture.run(
            [try fixture.write(text, as: name)], .mapping(mapping),
            options: ImportOptions(rows: rows, writer, rejects: rejects))
    }

    @Test(arguments: [1, 2, 3, 7, 1000], [NewStoreWriter.auto, .sqlite])
    func aRecordWhosePartsAreFoundThroughTheirOwnerIsAmongTheUnlinked(rows: Int, writer: NewStoreWriter) throws {
        let parts = [
            "      addresses: {entity: Address, attributes: {street: st}}",
            "      addresses: {entity: Address, attributes: {street: st}, add: true}",
        ]
        for (add, isThere) in [(0, false), (0, true), (1, false), (1, true)] {
            let mapping = try mapping(parts[add])
            let fixture = try ImportFixture(entities: Self.model)
            if isThere {
                _ = try run(
                    fixture, "num,name,boss,st\n1,Old,,Main\n2,B,,Low\n", as: "people0.csv", mapping, rows: rows, .auto)
            }
            let folder = fixture.directory.file("rejects")
            let text = "num,name,boss,st\n1,A,7,Main\n7,,,High\n3,C,1,Main\n2,B,7,Low\n"
            let report = try run(fixture, text, as: "people.csv", mapping, rows: rows, writer, rejects: folder)
            let context = "\(rows) rows, \(writer), \(add), \(isThere)"
            #expect(report.rejected == 1 && report.unresolvedLinks == 2, "\(context)")
            let unlinked = try String(contentsOfFile: folder + "/people.unlinked.csv", encoding: .utf8)
            #expect(unlinked == "num,name,boss,st\n1,A,7,Main\n2,B,7,Low\n", "\(context)")
            _ = try run(
                fixture, "num,name,boss,st\n7,G,,High\n", as: "people.rejected.csv", mapping, rows: rows, writer)
            let again = try run(fixture, unlinked, as: "people.unlinked.csv", mapping, rows: rows, writer)
            #expect(again.entities.allSatisfy { $0.inserted == 0 }, "\(context)")
            #expect(
                try fixture.rows(Self.objects) == ["1|7|Main", "2|7|Low", "3|1|Main", "7|NULL|High"], "\(context)")
            #expect(try fixture.rows("SELECT count(*) FROM ZADDRESS") == ["4"], "\(context)")
            if rows == 3 { #expect(try fixture.faults() == [], "\(context)") }
        }
    }

    @Test(arguments: [1, 1000], [NewStoreWriter.auto, .sqlite])
    func aRecordWithAnObjectThatNothingLeadsToIsNot(rows: Int, writer: NewStoreWriter) throws {
        let fixture = try ImportFixture(entities: Self.model)
        let folder = fixture.directory.file("rejects")
        let mapping = try mapping("  - {entity: Address, attributes: {street: st}}")
        let text = "num,name,boss,st\n1,A,7,Main\n"
        _ = try run(fixture, text, as: "people.csv", mapping, rows: rows, writer, rejects: folder)
        #expect(!FileManager.default.fileExists(atPath: folder + "/people.unlinked.csv"))
        let log = try String(contentsOfFile: folder + "/rejects.csv", encoding: .utf8)
        #expect(log.contains("relate it by hand"))
    }
}
