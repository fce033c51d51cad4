import Foundation
import PersistentStores
import TestSupport
import Testing

@testable import RecordSources
@testable import StoreImport

/// A record that is rejected because another one has a value first that must be unique, and that is rejected in the end
/// itself: both say so, and stand in the order of the source, so that a second import does what a clean one does.
@Suite struct RivalRejectTests {
    private static let model = """
        <entity name="Person"><attribute name="name" attributeType="String"/>
        <attribute name="code" optional="YES" attributeType="Integer 16"/>
        <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
        inverseEntity="Person"/>
        <relationship name="staff" optional="YES" toMany="YES" destinationEntity="Person" inverseName="boss" \
        inverseEntity="Person"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
        <uniquenessConstraint><constraint value="code"/></uniquenessConstraint></uniquenessConstraints></entity>
        """

    private static let mapping = """
        sources:
          - files: people*.csv
            entity: Person
            key: name
            attributes: [name, code]
            relationships: {boss: {by: name, from: boss, onMissing: error}}

        """

    private func run(
        _ fixture: ImportFixture, _ lines: [String], as name: String, rows: Int, rejects: String? = nil
    ) throws -> ImportReport {
        var options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        options.rejectsDirectory = rejects
        return try fixture.run(
            "name,code,boss\n" + lines.map { $0 + "\n" }.joined(), as: name, mapping: Self.mapping, options: options)
    }

    private static let people = "SELECT ZNAME, ZCODE FROM ZPERSON ORDER BY 1"

    @Test(arguments: [(1, false), (2, false), (3, false), (1000, false), (1, true)])
    func theRecordsThatARejectedOneBroughtDownAreNamedAndComeInTheOrderOfTheSource(rows: Int, isThere: Bool) throws {
        let fixture = try ImportFixture(entities: Self.model)
        if isThere { _ = try run(fixture, ["c,9,"], as: "people-0.csv", rows: 10) }
        let folder = fixture.directory.file("rejects")
        let lines = ["z,0,", "a,1,gone", "b,1,", "c,1,z", "d,2,", "e,2,"]
        let report = try run(fixture, lines, as: "people.csv", rows: rows, rejects: folder)
        #expect(report.rejected == 4)
        #expect(report.entities.first?.rejected == 4)
        #expect(try fixture.rows(Self.people) == (isThere ? ["c|9"] : []) + ["d|2", "z|0"])
        let rejected = try String(contentsOfFile: folder + "/people.rejected.csv", encoding: .utf8)
        #expect(Set(rejected.split(separator: "\n")) == ["name,code,boss", "a,1,gone", "b,1,", "c,1,z", "e,2,"])
        // e's rival stays: it is written at once, or among the others where the batch has both.
        #expect(rejected.contains("a,1,gone\nb,1,\nc,1,z\n"))
        let log = try String(contentsOfFile: folder + "/rejects.csv", encoding: .utf8)
        #expect(log.components(separatedBy: "record 2 of ").count == 3)
        #expect(log.components(separatedBy: "which had the value first, is rejected as well").count == 3)
        #expect(try fixture.faults() == [])

        // Mended, the first one has the value; left out, the next one.
        for (text, expected) in [
            (rejected.replacing("gone", with: "z"), (isThere ? ["a|1", "c|9"] : ["a|1"])),
            (rejected.replacing("a,1,gone\n", with: ""), (isThere ? ["b|1", "c|9"] : ["b|1"])),
        ] {
            let other = try ImportFixture(entities: Self.model)
            try FileManager.default.copyItem(atPath: fixture.store, toPath: other.store)
            let again = try other.run(
                text, as: "people.rejected.csv", mapping: Self.mapping,
                options: ImportOptions(limits: RecordBatch.Limits(rows: rows)))
            #expect(try other.rows(Self.people) == expected + ["d|2", "z|0"])
            #expect(again.rejected == (text.contains("a,1") ? 3 : 2))
        }
    }

    @Test func whatWaitsIsWrittenWhereTheImportEndsBefore() throws {
        let fixture = try ImportFixture(entities: Self.model)
        let folder = fixture.directory.file("rejects")
        var options = ImportOptions(rows: 1, .sqlite, rejects: folder)
        options.maximumRejects = 1
        let text = "name,code,boss\na,1,gone\nb,1,\nc,x,\nd,5,\n"
        #expect(throws: ImportError.self) {
            try fixture.run(text, as: "people.csv", mapping: Self.mapping, options: options)
        }
        let rejected = try String(contentsOfFile: folder + "/people.rejected.csv", encoding: .utf8)
        #expect(Set(rejected.split(separator: "\n")) == ["name,code,boss", "b,1,", "c,x,"])
    }
}
