import Foundation
import ImportTestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Imports that bring so many objects that the indexes of their table are rebuilt: nothing else differs.
@Suite struct LargeLoadImportTests {
    private let fixture: ImportFixture

    init() throws {
        fixture = try ImportFixture(
            entities: """
                <entity name="Part"><attribute name="number" attributeType="Integer 64" defaultValueString="0"/>
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="box" optional="YES" maxCount="1" destinationEntity="Box" inverseName="parts"
                inverseEntity="Box"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="number"/></uniquenessConstraint>
                </uniquenessConstraints></entity>
                <entity name="Box"><attribute name="code" attributeType="String"/>
                <relationship name="parts" optional="YES" toMany="YES" destinationEntity="Part" inverseName="box"
                inverseEntity="Part"/></entity>
                """)
    }

    private static let mapping = """
        sources:
          - {files: boxes.csv, entity: Box, key: code, attributes: [code]}
          - files: parts.csv
            entity: Part
            key: number
            attributes: [number, name]
            relationships: {box: {by: code, from: box}}
        """

    private static func line(_ number: Int, _ name: String) -> String {
        "\(number * 7919 % 10_007),\(name),B\(number % 5)\n"
    }

    /// - Parameter large: the size of a table from which its indexes may go.
    /// - Returns: the report, and whether they went.
    private func run(_ lines: [String], large: Int64, isDryRun: Bool = false) throws -> (ImportReport, wasLarge: Bool) {
        var options = ImportOptions(limits: RecordBatch.Limits(rows: 20), isDryRun: isDryRun)
        options.fixedLimits.smallestLargeTable = large
        var wasLarge = false
        options.onCheckpoint = { if $0 == "indexes postponed" { wasLarge = true } }
        let boxes = try fixture.write("code\n" + (0..<5).map { "B\($0)\n" }.joined(), as: "boxes.csv")
        let parts = try fixture.write("number,name,box\n" + lines.joined(), as: "parts.csv")
        let mapping = try ImportMapping(yaml: "import: 1\n" + Self.mapping)
        let report = try fixture.run([boxes, parts], .mapping(mapping), options: options)
        #expect(try fixture.faults() == [])
        return (report, wasLarge)
    }

    private func content() throws -> [String] {
        try fixture.rows(
            "SELECT p.Z_PK, ZNUMBER, ZNAME, ZCODE, p.Z_OPT FROM ZPART p JOIN ZBOX b ON b.Z_PK = ZBOX ORDER BY 1")
            + (try fixture.rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2"))
    }

    /// Every second record is there already; some come twice where they are doubled.
    private static func lines(doubled: Bool) -> [String] {
        (0..<400).map { line($0 / 2 + $0 % 2 * 1000, "new") } + (doubled ? (0..<60).map { line($0 * 20, "last") } : [])
    }

    @Test(arguments: [false, true])
    func theStoreIsTheSameAsWithTheIndexesInPlace(doubled: Bool) throws {
        let first = (0..<300).map { Self.line($0, "old") }
        var contents: [[String]] = []
        var reports: [[ImportReport.EntityReport]] = []
        for large in [Int64.max, 100] {
            for path in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: fixture.store + path) }
            _ = try run(first, large: .max)
            let (report, wasLarge) = try run(Self.lines(doubled: doubled), large: large)
            #expect(wasLarge == (large == 100))
            contents.append(try content())
            reports.append(report.entities)
        }
        #expect(contents[0] == contents[1])
        #expect(reports[0] == reports[1] && reports[0].last?.inserted ?? 0 >= 200)
    }

    @Test func fewNewObjectsLeaveTheIndexesAloneAndADryRunAll() throws {
        _ = try run((0..<300).map { Self.line($0, "old") }, large: .max)
        let before = try content()
        #expect(try run((0..<300).map { Self.line($0, "old") }, large: 100).wasLarge == false)
        #expect(try run(Self.lines(doubled: false), large: 100, isDryRun: true).wasLarge)
        #expect(try content() == before)
    }
}
