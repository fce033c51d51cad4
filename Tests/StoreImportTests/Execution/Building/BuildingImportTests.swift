import Foundation
import ImportMappings
import ImportTestSupport
import PersistentStores
import RecordSources
import SQLiteAccess
import StoreImport
import TestSupport
import Testing

/// New stores that the builder writes hold what those hold that SQLite writes.
@Suite struct BuildingImportTests {
    private static let entities = """
        <entity name="City"><attribute name="code" attributeType="String"/>
        <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="city" \
        inverseEntity="Person"/></entity>
        <entity name="Person"><attribute name="number" attributeType="Integer 64"/>
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="born" optional="YES" attributeType="Date"/>
        <attribute name="salary" optional="YES" attributeType="Decimal"/>
        <attribute name="weight" optional="YES" attributeType="Double"/>
        <attribute name="isHere" attributeType="Boolean" defaultValueString="YES"/>
        <attribute name="photo" optional="YES" attributeType="Binary"/>
        <attribute name="mark" optional="YES" attributeType="UUID"/>
        <relationship name="city" optional="YES" maxCount="1" destinationEntity="City" inverseName="people" \
        inverseEntity="City"/>
        <relationship name="chief" optional="YES" maxCount="1" destinationEntity="Person" inverseName="others" \
        inverseEntity="Person"/>
        <relationship name="others" optional="YES" toMany="YES" destinationEntity="Person" inverseName="chief" \
        inverseEntity="Person"/>
        <fetchIndex name="byName"><fetchIndexElement property="name" type="Binary" order="descending"/></fetchIndex>
        <fetchIndex name="named" partialIndexPredicate="name != nil"><fetchIndexElement property="name" type="Binary" \
        order="ascending"/></fetchIndex>
        <uniquenessConstraints><uniquenessConstraint><constraint value="number"/></uniquenessConstraint>\
        </uniquenessConstraints></entity>
        """

    private static let mapping = """
        sources:
          - files: cities.csv
            entity: City
            key: code
            attributes: [code]
          - files: people.csv
            entity: Person
            key: number
            attributes: [number, name, born, salary, weight, photo, mark]
            relationships:
              city: {by: code, from: city}
              chief: {by: number, from: chief}
        """

    private static let header = "number,name,born,salary,weight,photo,mark,city,chief\n"

    private static func people(_ count: Int) -> String {
        header
            + (0..<count).map { row in
                let number = row * 7919 % 100_003
                let name = row % 11 == 0 ? "" : "name, number \(row % 40) \(String(repeating: "é", count: row % 70))"
                return "\(number),\"\(name)\",2001-01-0\(row % 9 + 1)T00:00:0\(row % 10)Z,\(row % 7).\(row % 100),"
                    + "\(Double(row) / 4),\(row % 5 == 0 ? "AQID" : ""),,C\(row % 9),\n"
            }.joined()
    }

    enum Case: String, CaseIterable {
        case plain, empty, severalBatches, keyThatComesTwice, linkThatWaits, rejected, oneRow
    }

    private func text(_ name: Case) -> String {
        switch name {
        case .plain, .severalBatches: Self.people(700)
        case .empty: Self.header
        case .oneRow: Self.header + "1,a,,10.11,-0,,9F9F3E2A-1111-4222-8333-444455556666,C1,\n"
        case .keyThatComesTwice: Self.people(300) + "7919,changed,,,,,,C1,\n" + Self.people(310)
        case .linkThatWaits: Self.header + "1,a,,,,,,C1,3\n2,b,,,,,,C2,1\n3,c,,,,,,,\n4,d,,,,,,,99\n"
        case .rejected: Self.header + "1,a,,,,,,C1,\nx,b,,,,,,C2,\n3,c,soon,,,,,,\n4,d,,1e400,,,,,\n5,e,,,,,,C4,\n"
        }
    }

    private func imported(_ name: Case, by writer: NewStoreWriter) throws -> (ImportFixture, ImportReport) {
        let fixture = try ImportFixture(entities: Self.entities)
        var options = ImportOptions(limits: RecordBatch.Limits(rows: name == .severalBatches ? 50 : 128))
        options.writer = writer
        let cities = try fixture.write("code\n" + (0..<9).map { "C\($0)\n" }.joined(), as: "cities.csv")
        let people = try fixture.write(text(name), as: "people.csv")
        let mapping = try ImportMapping(yaml: "import: 1\n" + Self.mapping)
        return (fixture, try fixture.run([cities, people], .mapping(mapping), options: options))
    }

    @Test(.long, arguments: Case.allCases)
    func bothWritersMakeTheSameStore(_ name: Case) throws {
        let (built, report) = try imported(name, by: .builder)
        let (written, wanted) = try imported(name, by: .sqlite)
        #expect(report.isAssembled)
        #expect(wanted.writer == .sqlite)
        #expect(report.entities == wanted.entities)
        #expect(report.rejected == wanted.rejected)
        #expect(report.unresolvedLinks == wanted.unresolvedLinks)
        #expect(try built.content() == written.content())
        #expect(try built.faults() == [])
        let connection = try Connection(path: built.store, access: .readOnly)
        #expect(try connection.value("PRAGMA integrity_check") == "ok")
        #expect(try DatabaseFile(path: built.store).usesWriteAheadLog)
        #expect(try connection.value("PRAGMA auto_vacuum") == 2)
        try connection.close()
        #expect(try leftovers(built) == [])
    }

    /// Files beside the store that are not its own.
    private func leftovers(_ fixture: ImportFixture) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path)
            .filter { $0.contains("staging") || $0.contains("sort") }
    }

    @Test func aTrialImportSaysWhoWouldWriteAndLeavesNothing() throws {
        let fixture = try ImportFixture(entities: Self.entities)
        let report = try fixture.run(
            "number,name\n1,a\n", as: "people.csv",
            mapping: "entity: Person\nkey: number\nattributes: [number, name]",
            options: ImportOptions(isDryRun: true))
        #expect(report.description.contains("The builder writes the rows"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path).count == 2)
    }
}
