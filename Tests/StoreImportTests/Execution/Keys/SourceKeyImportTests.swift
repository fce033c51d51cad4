import ImportTestSupport
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Records that are related by keys which the model has no attributes for.
@Suite struct SourceKeyImportTests {
    private let fixture: ImportFixture

    init() throws {
        fixture = try ImportFixture(
            entities: """
                <entity name="Department"><attribute name="name" attributeType="String"/>
                <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" \
                inverseName="department" inverseEntity="Person"/></entity>
                <entity name="Office" parentEntity="Department"><attribute name="floor" optional="YES" \
                attributeType="Integer 16"/></entity>
                <entity name="Person"><attribute name="name" attributeType="String"/>
                <relationship name="department" optional="YES" maxCount="1" destinationEntity="Department" \
                inverseName="people" inverseEntity="Department"/>
                <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" \
                inverseName="staff" inverseEntity="Person"/>
                <relationship name="staff" optional="YES" toMany="YES" destinationEntity="Person" inverseName="boss" \
                inverseEntity="Person"/>
                <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Person" \
                inverseName="friendOf" inverseEntity="Person"/>
                <relationship name="friendOf" optional="YES" toMany="YES" destinationEntity="Person" \
                inverseName="friends" inverseEntity="Person"/></entity>
                """)
    }

    private static let departments = """
        files: d*.csv
        entity: Department
        key: name
        sourceKey: id
        attributes: [name]
        """

    private static func people(_ relationships: String) -> String {
        """
        files: p*.csv
        entity: Person
        key: name
        sourceKey: id
        attributes: [name]
        relationships:
        \(relationships.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
        """
    }

    /// - Parameter sources: what stands for one source each.
    private func mapping(_ sources: String...) throws -> ImportRun.Plan {
        let items = sources.map { source in
            source.split(separator: "\n").enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }.joined(separator: "\n")
        }
        return .mapping(try ImportMapping(yaml: "import: 1\nsources:\n" + items.joined(separator: "\n") + "\n"))
    }

    private let homes = """
        SELECT p.ZNAME, d.ZNAME, b.ZNAME FROM ZPERSON p LEFT JOIN ZDEPARTMENT d ON d.Z_PK = p.ZDEPARTMENT
        LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS ORDER BY 1
        """

    @Test(arguments: [1, 2, 1000], [true, false])
    func recordsFindEachOtherByKeysThatTheStoreDoesNotGetWhicheverComesFirst(
        rows: Int, peopleFirst: Bool
    ) throws {
        let files = [
            try fixture.write("id,name\n07,Art\n8,Biology\n9,Art\n", as: "d.csv"),
            try fixture.write("id,name,dept,boss\n1,a,8,3\n2,b,07,\n3,c,9,1\n4,d,7,x\n5,e,,\n", as: "p.csv"),
        ]
        let parts = [
            Self.departments, Self.people("department: {sourceKey: dept}\nboss: {sourceKey: boss}"),
        ]
        let plan =
            try peopleFirst ? mapping(parts[1], parts[0]) : mapping(parts[0], parts[1])
        var options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        options.fixedLimits.cachedObjects = rows
        let report = try fixture.run(files, plan, options: options)
        // Texts: 7 is not 07.
        #expect(report.unresolvedLinks == 2)
        #expect(report.findings.contains { $0.contains("no object of Department has the source key") })
        #expect(try fixture.rows(homes) == ["a|Biology|c", "b|Art|NULL", "c|Art|a", "d|NULL|NULL", "e|NULL|NULL"])
        #expect(try fixture.rows("SELECT count(*) FROM sqlite_master WHERE name LIKE 'ferry%'") == ["0"])
        #expect(try fixture.faults() == [])
        let again = try fixture.run(files, plan, options: options)
        #expect(again.entities.allSatisfy { $0.inserted == 0 && $0.updated == 0 && $0.related == 0 })
    }

    @Test func theKeysGoWithTheImportAndABatchImportThatGoesOnHasThem() throws {
        let departments = try fixture.write("id,name\n1,Art\n2,Biology\n", as: "d.csv")
        let people = try fixture.write("id,name,dept\n1,a,2\n2,b,1\n", as: "p.csv")
        let plan = try mapping(Self.departments, Self.people("department: {sourceKey: dept}"))
        var options = ImportOptions(limits: RecordBatch.Limits(rows: 1), commit: .batch)
        var batches = 0
        options.onCheckpoint = { if $0 == "batch committed" { batches += 1 } }
        options.isCancelled = { batches >= 4 }
        #expect(throws: ImportError.cancelledBetweenBatches) {
            try fixture.run([departments, people], plan, options: options)
        }
        options.isCancelled = nil
        options.isResuming = true
        try fixture.run([departments, people], plan, options: options)
        #expect(try fixture.rows(homes) == ["a|Biology|NULL", "b|Art|NULL"])
        #expect(try fixture.rows("SELECT count(*) FROM sqlite_master WHERE name LIKE 'ferry%'") == ["0"])
        // The next import has other keys.
        let more = try fixture.write("id,name,dept\n3,c,1\n", as: "p2.csv")
        let report = try fixture.run([more], plan)
        #expect(report.unresolvedLinks == 1)
    }

    @Test func keysOfSeveralValuesOfTextsAndOfSubentitiesAndListsOfThem() throws {
        let text = """
            {"departments": [{"id": 1, "name": "Art"}], "offices": [{"id": 1, "name": "Lab"}],
             "people": [{"id": 1, "name": "a", "unit": 1}, {"id": 2, "name": "b", "chief": 1},
                        {"id": 3, "name": "c", "unit": 2, "chief": 2}]}
            """
        func source(_ records: String, _ rest: String) -> String { "files: x.json\nrecords: \(records)\n" + rest }
        let report = try fixture.run(
            [try fixture.write(text, as: "x.json")],
            mapping(
                source(
                    "departments[*]",
                    "entity: Department\nkey: name\nsourceKey: [{constant: d}, id]\nattributes: [name]"),
                source("offices[*]", "entity: Office\nkey: name\nsourceKey: [{constant: o}, id]\nattributes: [name]"),
                source(
                    "people[*]",
                    """
                    entity: Person
                    key: name
                    sourceKey: {text: 'p{id}'}
                    attributes: [name]
                    relationships:
                      department: {sourceKey: [{constant: o}, unit]}
                      boss: {sourceKey: {text: 'p{chief}'}}
                    """)))
        #expect(report.unresolvedLinks == 1)
        #expect(try fixture.rows(homes) == ["a|Lab|NULL", "b|NULL|a", "c|NULL|b"])
        let list = try fixture.write("id,name,friends\n1,a,3;2\n2,b,\n3,c,1;9\n", as: "p.csv")
        let second = try fixture.run([list], mapping(Self.people("friends: {sourceKey: friends, separator: ';'}")))
        #expect(second.unresolvedLinks == 1)
        let table = try #require(
            try fixture.rows("SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*FRIEND*'").first)
        #expect(try fixture.rows("SELECT count(*) FROM \(table)") == ["3"])
    }

    @Test
    func aKeyThatNoObjectHasRejectsTheRecordWhereTheMappingSaysSoOfTwoObjectsTheFirstCounts()
        throws
    {
        let report = try fixture.run(
            [
                try fixture.write("id,name\n1,Art\n1,Biology\n", as: "d.csv"),
                try fixture.write("id,name,dept\n1,a,1\n2,b,5\n", as: "p.csv"),
            ],
            mapping(Self.departments, Self.people("department: {sourceKey: dept, onMissing: error}")))
        #expect(report.rejected == 1)
        #expect(report.findings.contains { $0.contains("several objects have the same source key") })
        #expect(try fixture.rows(homes) == ["a|Art|NULL"])
        #expect(throws: ImportPlanError.self) {
            try fixture.run(
                [fixture.directory.file("p.csv")], mapping(Self.people("department: {sourceKey: dept}")))
        }
    }

    /// A record that is skipped gives its key to an object that an earlier one has made; that record may be rejected.
    @Test(arguments: [1, 2, 1000], [NewStoreWriter.auto, .sqlite])
    func theKeysOfAnObjectGoWithIt(size: Int, writer: NewStoreWriter) throws {
        var options = ImportOptions()
        options.limits.rows = size
        options.writer = writer
        let report = try fixture.run(
            [
                try fixture.write("name,boss\nc,2\na,3\nb,1\nd,\n", as: "p.csv"),
                try fixture.write("id,name\n3,c\n1,a\n4,d\n", as: "q.csv"),
            ],
            mapping(
                """
                files: p*.csv
                entity: Person
                key: name
                attributes: [name]
                relationships:
                  boss: {sourceKey: boss, onMissing: error}
                """,
                """
                files: q*.csv
                entity: Person
                key: name
                sourceKey: id
                onMissing: skip
                onMatch: skip
                attributes: [name]
                """), options: options)
        #expect(report.rejected == 3)
        #expect(try fixture.rows("SELECT ZNAME, ZBOSS FROM ZPERSON") == ["d|NULL"])
        #expect(try fixture.faults() == [])
    }
}
