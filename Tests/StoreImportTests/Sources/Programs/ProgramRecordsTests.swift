import Foundation
import ImportMappings
import ImportTestSupport
import RecordSources
import SQLiteAccess
import StoreImport
import TestSupport
import Testing

/// Records that a program hands over as a sequence.
@Suite struct ProgramRecordsTests {
    private static let entities = """
        <entity name="A"><attribute name="code" attributeType="Integer 64"/>
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="born" optional="YES" attributeType="Date"/>
        <attribute name="price" optional="YES" attributeType="Decimal"/>
        <attribute name="size" optional="YES" attributeType="Double"/>
        <attribute name="active" optional="YES" attributeType="Boolean"/>
        <attribute name="photo" optional="YES" attributeType="Binary"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint>
        </uniquenessConstraints></entity>
        """
    private static let columns = ["code", "name", "born", "price", "size", "active", "photo"]

    private let fixture: ImportFixture
    private let plan = ImportRun.Plan.entity(EntityRequest(entity: "A"))

    init() throws {
        fixture = try ImportFixture(entities: Self.entities)
    }

    /// Counts what was read of it.
    private final class Counter: @unchecked Sendable {
        private let lock = NSLock()
        private var number = 0
        func next() -> Int {
            lock.withLock {
                number += 1; return number
            }
        }
        var count: Int { lock.withLock { number } }
    }

    private func run(
        _ records: sending some Sequence<[String: RecordValue]>, _ plan: ImportRun.Plan? = nil,
        options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        try fixture.run(records: records, columns: Self.columns, plan ?? self.plan, options: options)
    }

    @Test func valuesKeepTheirTypes() throws {
        let report = try run([
            [
                "code": 1, "name": "n", "born": .date(Date(timeIntervalSinceReferenceDate: 12.5)),
                "price": .number("12.50"), "size": 0.25, "active": true, "photo": .data([1, 2]),
            ],
            ["code": 2, "name": nil], ["code": "3", "born": "2001-01-01T00:00:10Z"],
        ])
        #expect(report.rejected == 0)
        let query = "SELECT ZCODE, ZNAME, ZBORN, ZPRICE, ZSIZE, ZACTIVE, hex(ZPHOTO) FROM ZA ORDER BY 1"
        let rows = try fixture.rows(query)
        let expected = [
            "1|n|12.5|12.5|0.25|1|0102", "2|NULL|NULL|NULL|NULL|NULL|", "3|NULL|10|NULL|NULL|NULL|",
        ]
        #expect(rows == expected)
    }

    @Test(arguments: [1, 7, 1000])
    func aSequenceOfAnyLengthIsReadABatchAtATime(rows: Int) throws {
        let counter = Counter()
        let records = (0..<5000).lazy.map { number -> [String: RecordValue] in
            _ = counter.next()
            return ["code": .integer(Int64(number % 4000)), "name": .text("n\(number)")]
        }
        var options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        options.maximumRejects = 0
        let report = try run(records, options: options)
        #expect(counter.count == 5000)
        #expect(report.entities.map(\.inserted) == [4000])
        #expect(try fixture.rows("SELECT count(*), max(ZNAME), min(ZNAME) FROM ZA") == ["4000|n4999|n1000"])
    }

    @Test func aMappingSaysWhatTheRecordsBecome() throws {
        let mapping = try ImportMapping(
            yaml: "import: 1\nentity: A\nkey: code\nattributes: {code: code, name: {text: '<{name}>'}}")
        #expect(try run([["code": 1, "name": "x"]], .mapping(mapping)).rejected == 0)
        #expect(try fixture.rows("SELECT ZCODE FROM ZA") == ["1"])
    }

    @Test func rejectedRecordsAreRowsOfADatabase() throws {
        var options = ImportOptions()
        options.rejectsDirectory = fixture.directory.file("rejects")
        options.largestRecord = 2000
        let report = try run(
            [
                ["code": "x", "name": "bad"], ["code": 2],
                ["code": 3, "name": .text(String(repeating: "x", count: 3000))],
            ], options: options)
        #expect(report.rejected == 2)
        #expect(try fixture.rows("SELECT ZCODE FROM ZA") == ["2"])
        let files = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.file("rejects")).sorted()
        let path = try #require(files.first { $0.hasSuffix(".sqlite") })
        let connection = try Connection(path: fixture.directory.file("rejects/" + path), access: .readOnly)
        #expect(try connection.rows("SELECT code, name FROM rejected") == [[.string("x"), .string("bad")]])
        try connection.close()
    }

    @Test func aNameThatIsNotAmongTheColumnsIsAnErrorAndNothingIsImported() throws {
        let error = #expect(throws: SourceError.self) { try run([["code": 1], ["code": 2, "nmae": "x"]]) }
        #expect(error?.line == 2)
        #expect("\(error.map { "\($0)" } ?? "")".contains("did you mean 'name'?"))
        #expect(!FileManager.default.fileExists(atPath: fixture.store))
    }
}
