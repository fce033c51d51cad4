import Foundation
import ImportMappings
import PersistentStores
import RecordSources
import StoreImport
import TestSupport
import Testing

/// Imports of one file into one entity, columns matched by name.
@Suite struct EntityImportTests {
    private static let city = """
        <entity name="City">
            <attribute name="name" optional="YES" attributeType="String" maxValueString="10"/>
            <attribute name="population" optional="YES" attributeType="Integer 32" defaultValueString="7"/>
            <attribute name="code" attributeType="String"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        """

    private let fixture: ImportFixture
    private let plan = ImportRun.Plan.entity(EntityRequest(entity: "City"))

    init() throws {
        fixture = try ImportFixture(entities: Self.city)
    }

    private func source(_ text: String, _ name: String = "city.csv") throws -> [String] {
        [try fixture.write(text, as: name)]
    }

    @Test func aNewStoreGetsTheObjectsTheirKeysAndTheCounts() throws {
        let report = try fixture.run(try source("code,name,population\na,Rome,3\nb,Oslo,\n"), plan)
        #expect(report.entities.first?.inserted == 2)
        #expect(!report.hasFindings)
        #expect(
            try fixture.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZCODE, ZNAME, ZPOPULATION FROM ZCITY ORDER BY Z_PK")
                == ["1|1|1|a|Rome|3", "2|1|1|b|Oslo|7"])
        #expect(try fixture.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["2"])
        #expect(try fixture.rows("SELECT name FROM sqlite_master WHERE type = 'index'") == ["Z_City_UNIQUE_code"])
    }

    @Test func aSecondRunChangesNothing() throws {
        let sources = try source("code,name,population\na,Rome,3\nb,Oslo,\n")
        try fixture.run(sources, plan)
        let report = try fixture.run(sources, plan)
        #expect(report.entities.first?.unchanged == 2)
        #expect(try fixture.rows("SELECT sum(Z_OPT), count(*) FROM ZCITY") == ["2|2"])
    }

    @Test func onlyWhatDiffersIsWrittenAndOnlyThenIsTheObjectNewer() throws {
        try fixture.run(try source("code,name,population\na,Rome,3\nb,Oslo,4\n"), plan)
        let report = try fixture.run(try source("code,name\nb,Bergen\nc,Paris\na,Rome\n"), plan)
        #expect(report.entities.first?.updated == 1)
        #expect(report.entities.first?.inserted == 1)
        #expect(report.entities.first?.unchanged == 1)
        #expect(
            try fixture.rows("SELECT ZCODE, ZNAME, ZPOPULATION, Z_OPT FROM ZCITY ORDER BY ZCODE")
                == ["a|Rome|3|1", "b|Bergen|4|2", "c|Paris|7|1"])
    }

    @Test(arguments: [1, 2, 1000])
    func aKeyThatComesAgainIsTheSameObjectInABatchAndAcrossBatches(rows: Int) throws {
        let options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        let report = try fixture.run(try source("code,name\na,Rome\nb,Oslo\na,Roma\na,Roma\n"), plan, options: options)
        #expect(report.entities.first?.inserted == 2)
        #expect(report.entities.first?.updated == 1)
        #expect(report.entities.first?.unchanged == 1)
        #expect(try fixture.rows("SELECT ZCODE, ZNAME FROM ZCITY ORDER BY Z_PK") == ["a|Roma", "b|Oslo"])
    }

    @Test func aRecordThatBreaksARuleIsRejectedWholeWithCoreDatasNumber() throws {
        let text = "code,name,population\na,Rome,3\nb,Much too long,1\nc,Oslo,99999999999\n,Bonn,1\nd,Ulm,2\n"
        var rejected: [RecordRejection] = []
        var bytes: [String] = []
        var options = ImportOptions()
        options.onReject = {
            rejected.append($0)
            bytes.append(String(decoding: $1, as: UTF8.self))
        }
        let report = try fixture.run(try source(text), plan, options: options)
        #expect(report.rejected == 3)
        #expect(rejected.map(\.line) == [3, 4, 5])
        #expect(rejected.map(\.reasons[0].property) == ["name", "population", "code"])
        #expect(rejected.first?.reasons[0].code == 1660 && rejected.last?.reasons[0].code == 1570)
        #expect(bytes == ["b,Much too long,1\n", "c,Oslo,99999999999\n", ",Bonn,1\n"])
        #expect(try fixture.rows("SELECT ZCODE FROM ZCITY ORDER BY 1") == ["a", "d"])
    }

    @Test func tooManyRejectedRecordsLeaveNothing() throws {
        let options = ImportOptions(maximumRejects: 1)
        let sources = try source("code,name\n,x\n,y\na,Rome\n")
        #expect(throws: ImportError.tooManyRejects(2, maximum: 1)) { try fixture.run(sources, plan, options: options) }
        #expect(!FileManager.default.fileExists(atPath: fixture.store))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path).sorted()
                == ["Model.xcdatamodel", "city.csv"])
    }

    @Test func aDryRunSaysWhatItWouldDoAndDoesNotDoIt() throws {
        let options = ImportOptions(isDryRun: true)
        let sources = try source("code,name\na,Rome\n")
        #expect(try fixture.run(sources, plan, options: options).entities.first?.inserted == 1)
        #expect(!FileManager.default.fileExists(atPath: fixture.store))
        try fixture.run(sources, plan)
        let more = try source("code,name\na,Roma\nb,Oslo\n")
        let report = try fixture.run(more, plan, options: options)
        #expect(report.entities.first?.updated == 1 && report.entities.first?.inserted == 1)
        #expect(try fixture.rows("SELECT ZNAME FROM ZCITY") == ["Rome"])
    }

    @Test(arguments: MatchPolicy.allCases)
    func onMatchDecidesWhatBecomesOfAnObjectThatIsThere(policy: MatchPolicy) throws {
        try fixture.run(try source("code,name\na,\nb,Oslo\n"), plan)
        let request = EntityRequest(entity: "City", onMatch: policy)
        let report = try fixture.run(try source("code,name\na,Rome\nb,Bergen\nc,Ulm\n"), .entity(request))
        let expected: [MatchPolicy: [String]] = [
            .update: ["a|Rome", "b|Bergen", "c|Ulm"], .fill: ["a|Rome", "b|Oslo", "c|Ulm"],
            .skip: ["a|NULL", "b|Oslo", "c|Ulm"], .error: ["a|NULL", "b|Oslo", "c|Ulm"],
        ]
        #expect(try fixture.rows("SELECT ZCODE, ZNAME FROM ZCITY ORDER BY 1") == expected[policy])
        #expect(report.rejected == (policy == .error ? 2 : 0))
    }

    @Test(arguments: MissingPolicy.allCases)
    func onMissingDecidesWhatBecomesOfARecordWithoutObject(policy: MissingPolicy) throws {
        try fixture.run(try source("code,name\na,Rome\n"), plan)
        let request = EntityRequest(entity: "City", onMissing: policy)
        let report = try fixture.run(try source("code,name\na,Roma\nb,Oslo\n"), .entity(request))
        #expect(
            try fixture.rows("SELECT ZNAME FROM ZCITY ORDER BY 1") == (policy == .create ? ["Oslo", "Roma"] : ["Roma"]))
        #expect(report.rejected == (policy == .error ? 1 : 0))
    }

    @Test func anAttributeThatAJSONRecordDoesNotMentionStaysAsItIs() throws {
        try fixture.run(try source("code,name\na,Rome\n"), plan)
        try fixture.run(try source(#"[{"code": "a", "population": 9}, {"code": "b"}]"#, "city.json"), plan)
        #expect(try fixture.rows("SELECT ZCODE, ZNAME, ZPOPULATION FROM ZCITY ORDER BY 1") == ["a|Rome|9", "b|NULL|7"])
    }

    @Test func theTitleOfStandardInputAndOfAPartStandInTheTextOfAReport() {
        var report = ImportReport(store: "s", isDryRun: false)
        report.sources = [.init(name: "-"), .init(name: "d.db", part: "t")]
        report.sources[0].records = 1
        #expect(
            report.description.contains("\nstandard input: 1 record, 0 rejected\nd.db (t): 0 records, 0 rejected\n"))
    }

    @Test func aFileWithoutAnyColumnOfTheEntityIsRefused() throws {
        let sources = try source("x,y\n1,2\n")
        #expect(throws: ImportPlanError.self) { try fixture.run(sources, plan) }
        #expect(!FileManager.default.fileExists(atPath: fixture.store))
    }
}
