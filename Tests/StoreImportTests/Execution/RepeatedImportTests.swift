import Foundation
import RecordSources
import StoreImport
import TestSupport
import Testing

/// Files that are imported again, with some of their records changed, moved, gone and new: found wherever they are.
@Suite struct RepeatedImportTests {
    private static let part = """
        <entity name="Part">
            <attribute name="number" attributeType="Integer 64" defaultValueString="0"/>
            <attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="price" optional="YES" attributeType="Decimal"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="number"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        """

    private struct Record {
        var number: Int
        var name: String
        var line: String { "\(number),\"\(name)\",\(number % 900).\(number % 7)5\n" }
    }

    private let fixture: ImportFixture
    private let plan = ImportRun.Plan.entity(EntityRequest(entity: "Part"))

    init() throws {
        fixture = try ImportFixture(entities: Self.part)
    }

    private func run(_ records: [Record], rows: Int) throws -> ImportReport.EntityReport {
        let path = try fixture.write("number,name,price\n" + records.map(\.line).joined(), as: "parts.csv")
        let report = try fixture.run([path], plan, options: ImportOptions(limits: RecordBatch.Limits(rows: rows)))
        #expect(report.rejected == 0)
        return try #require(report.entities.first)
    }

    /// The rows of the store, in the order of their numbers.
    private func stored() throws -> [String] {
        try fixture.rows("SELECT ZNUMBER, ZNAME, ZPRICE FROM ZPART ORDER BY ZNUMBER")
    }

    private static let records = (0..<2000).map { Record(number: $0 * 7919 % 100_003, name: "Part \($0)") }

    @Test(.long, arguments: [1, 7, 64, 1000])
    func anUnchangedFileChangesNothingWhateverTheBatches(rows: Int) throws {
        #expect(try run(Self.records, rows: rows).inserted == 2000)
        let before = try stored()
        let again = try run(Self.records, rows: rows)
        #expect(again.unchanged == 2000 && again.inserted == 0 && again.updated == 0)
        #expect(try stored() == before)
        #expect(try fixture.rows("SELECT sum(Z_OPT), count(*) FROM ZPART") == ["2000|2000"])
    }

    @Test(arguments: [(rows: 5, seed: 1), (rows: 100, seed: 2), (rows: 100, seed: 3), (rows: 1000, seed: 4)])
    func recordsThatAreGoneNewChangedMovedAndDoubledAreFoundAsSuch(rows: Int, seed: UInt64) throws {
        _ = try run(Self.records, rows: 1000)
        var random = RandomNumbers(seed: seed)
        var changed: Set<Int> = []
        var records: [Record] = []
        for var record in Self.records {
            switch Int.random(in: 0..<40, using: &random) {
            case 0: continue
            case 1:
                record.name += " new"
                changed.insert(record.number)
            case 2: records.append(Record(number: 200_000 + records.count, name: "Added"))
            case 3: records.append(record)
            default: break
            }
            records.append(record)
        }
        // A part of the file comes in another order.
        records[300..<700].shuffle(using: &random)
        let added = records.filter { $0.number >= 200_000 }.count
        let report = try run(records, rows: rows)
        #expect(report.inserted == Int64(added))
        #expect(report.updated == Int64(changed.count))
        #expect(report.inserted + report.updated + report.unchanged == Int64(records.count))
        #expect(try fixture.rows("SELECT count(*) FROM ZPART") == [String(2000 + added)])
        #expect(try fixture.rows("SELECT count(*) FROM ZPART WHERE ZNAME LIKE '% new'") == [String(changed.count)])
        #expect(try fixture.rows("SELECT count(*) FROM ZPART WHERE Z_OPT > 1") == [String(changed.count)])
    }

    @Test(.long) func theSameFileMakesTheSameStoreEachTimeWhateverTheBatches() throws {
        _ = try run(Self.records, rows: 1)
        let expected = try fixture.rows("SELECT * FROM ZPART ORDER BY Z_PK")
        for rows in [3, 999, 1000, 5000] {
            let other = try ImportFixture(entities: Self.part)
            let path = try other.write("number,name,price\n" + Self.records.map(\.line).joined(), as: "parts.csv")
            try other.run([path], plan, options: ImportOptions(limits: RecordBatch.Limits(rows: rows)))
            #expect(try other.rows("SELECT * FROM ZPART ORDER BY Z_PK") == expected)
        }
    }

    @Test func rejectedRecordsComeInTheOrderOfTheSource() throws {
        var lines: [String] = []
        for (index, record) in Self.records.enumerated() {
            switch index % 50 {
            case 10: lines.append("x\(index),a,1\n")
            case 11: lines.append("\(index),a,none\n")
            case 12: lines.append("\(index),a\n")
            default: lines.append(record.line)
            }
        }
        let path = try fixture.write("number,name,price\n" + lines.joined(), as: "parts.csv")
        var found: [Int] = []
        var options = ImportOptions(limits: RecordBatch.Limits(rows: 90))
        options.onReject = { rejection, _ in found.append(rejection.line) }
        try fixture.run([path], plan, options: options)
        #expect(found == lines.indices.filter { 10...12 ~= $0 % 50 }.map { $0 + 2 })
    }
}
