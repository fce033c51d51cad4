import Foundation
import ImportMappings
import ImportTestSupport
import RecordSources
import StoreImport
import TestSupport
import Testing

/// Rules that only all records together keep or break: required objects that come later, numbers of related objects.
@Suite struct ObligationImportTests {
    private static func model(
        team: String = "optional=\"YES\"", members: String = "optional=\"YES\"", boss: String = "optional=\"YES\""
    ) -> String {
        """
        <entity name="Team"><attribute name="code" attributeType="String"/>
        <relationship name="members" \(members) toMany="YES" destinationEntity="Person" inverseName="team" \
        inverseEntity="Person"/></entity>
        <entity name="Person"><attribute name="name" attributeType="String"/>
        <attribute name="age" optional="YES" attributeType="Integer 16"/>
        <relationship name="team" \(team) maxCount="1" destinationEntity="Team" inverseName="members" inverseEntity="Team"/>
        <relationship name="boss" \(boss) maxCount="1" destinationEntity="Person" inverseName="reports" inverseEntity="Person"/>
        <relationship name="reports" optional="YES" toMany="YES" destinationEntity="Person" inverseName="boss" \
        inverseEntity="Person"/></entity>
        """
    }

    private func mapping(_ relationships: String, _ attributes: String) throws -> ImportMapping {
        try ImportMapping(
            yaml: """
                import: 1
                sources:
                  - {files: people*.csv, entity: Person, key: name, attributes: [\(attributes)], relationships: {\(relationships)}}
                  - {files: teams*.csv, entity: Team, key: code, attributes: [code]}
                """)
    }

    private let membership = """
        SELECT p.ZNAME, p.ZAGE, t.ZCODE, b.ZNAME FROM ZPERSON p LEFT JOIN ZTEAM t ON t.Z_PK = p.ZTEAM
        LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS ORDER BY 1
        """

    private func run(
        _ fixture: ImportFixture, people: String, teams: String, _ relationships: String, rows: Int = 1000,
        rejects: String? = nil
    ) throws -> (report: ImportReport, rejections: [RecordRejection]) {
        var rejections: [RecordRejection] = []
        var options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        options.onReject = { rejection, _ in rejections.append(rejection) }
        options.rejectsDirectory = rejects
        let sources = [try fixture.write(people, as: "people.csv"), try fixture.write(teams, as: "teams.csv")]
        let report = try fixture.run(
            sources, .mapping(try mapping(relationships, people.contains("age") ? "name, age" : "name")),
            options: options)
        #expect(try fixture.faults() == [])
        return (report, rejections)
    }

    @Test(arguments: [1, 2, 1000])
    func aRequiredObjectThatNeverComesRejectsItsRecordAlsoBatchesLater(rows: Int) throws {
        let fixture = try ImportFixture(entities: Self.model())
        let required = "team: {by: code, from: team, onMissing: error}"
        _ = try run(fixture, people: "name,age,team\na,1,x\n", teams: "code\nx\n", required, rows: rows)
        let version = try fixture.rows("SELECT Z_OPT FROM ZPERSON")
        let folder = fixture.directory.file("rejects")
        let (report, rejections) = try run(
            fixture, people: "name,age,team\na,2,gone\nb,3,y\nc,4,gone\nd,5,x\n", teams: "code\ny\n", required,
            rows: rows,
            rejects: folder)
        #expect(rejections.map(\.line).sorted() == [2, 4])
        #expect(rejections.allSatisfy { $0.reasons[0].code == 133000 && $0.reasons[0].property == "team" })
        #expect(report.rejected == 2 && report.unresolvedLinks == 0)
        let person = try #require(report.entities.first { $0.entity == "Person" })
        // What the rejected records had changed is not counted.
        #expect(person.inserted == 2 && person.updated == 0 && person.unchanged == 0 && person.related == 2)
        #expect(try fixture.rows(membership) == ["a|1|x|NULL", "b|3|y|NULL", "d|5|x|NULL"])
        #expect(try fixture.rows("SELECT Z_OPT FROM ZPERSON WHERE ZNAME = 'a'") == version)
        let bad = try String(contentsOfFile: folder + "/people.rejected.csv", encoding: .utf8)
        #expect(bad == "name,age,team\na,2,gone\nc,4,gone\n")
    }

    @Test(arguments: [1, 2, 1000])
    func aRequiredRelationshipCarriesTheRejectionOn(rows: Int) throws {
        let fixture = try ImportFixture(entities: Self.model(boss: ""))
        let (_, rejections) = try run(
            fixture, people: "name,boss\na,b\nb,c\nc,gone\nd,e\ne,d\nf,a\ng,d\n", teams: "code\n",
            "boss: {by: name, from: boss}", rows: rows)
        #expect(Set(rejections.map(\.line)) == [2, 3, 4, 7])
        #expect(try fixture.rows(membership) == ["d|NULL|NULL|e", "e|NULL|NULL|d", "g|NULL|NULL|d"])
    }

    @Test func aRequiredRelationshipThatNoMappingFillsRejectsNewObjectsWith1570() throws {
        let fixture = try ImportFixture(entities: Self.model(team: ""))
        let (report, rejections) = try run(fixture, people: "name\na\nb\n", teams: "code\nx\n", "")
        #expect(rejections.map(\.reasons[0].code) == [1570, 1570])
        #expect(report.entities.first { $0.entity == "Person" }?.inserted == 0)
        #expect(try fixture.rows("SELECT count(*) FROM ZPERSON") == ["0"])
        #expect(try fixture.rows("SELECT count(*) FROM ZTEAM") == ["1"])
    }

    @Test(arguments: [1, 1000])
    func aLaterRecordsListFillsARequiredRelationship(rows: Int) throws {
        let fixture = try ImportFixture(entities: Self.model(team: ""))
        let mapping = try ImportMapping(
            yaml: """
                import: 1
                sources:
                  - {files: people.csv, entity: Person, key: name, attributes: [name]}
                  - files: teams.csv
                    entity: Team
                    key: code
                    attributes: [code]
                    relationships: {members: {by: name, from: members, separator: ;}}
                """)
        let sources = [
            try fixture.write("name\na\nb\nc\n", as: "people.csv"),
            try fixture.write("code,members\nx,a;b\n", as: "teams.csv"),
        ]
        let options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        let report = try fixture.run(sources, .mapping(mapping), options: options)
        #expect(report.rejected == 1)
        #expect(try fixture.rows(membership) == ["a|NULL|x|NULL", "b|NULL|x|NULL"])
        // A list without b would leave b without its team.
        let fewer = [sources[0], try fixture.write("code,members\nx,a\n", as: "teams.csv")]
        _ = try fixture.write("name\n", as: "people.csv")
        let second = try fixture.run(fewer, .mapping(mapping), options: options)
        #expect(second.rejected == 1)
        #expect(second.firstRejections.first?.contains("[1570]") ?? false)
        #expect(try fixture.rows(membership) == ["a|NULL|x|NULL", "b|NULL|x|NULL"])
        #expect(try fixture.faults() == [])
    }

    @Test(arguments: [1, 7, 1000], [false, true])
    func ofFarTooManyRelatedObjectsTheFirstStay(rows: Int, hasBosses: Bool) throws {
        let fixture = try ImportFixture(entities: Self.model(members: "optional=\"YES\" maxCount=\"3\""))
        let people = (100..<220).map { "p\($0),\($0 % 2 == 0 ? "x" : "y"),\(hasBosses && $0 > 103 ? "p103" : "")\n" }
        let (report, rejections) = try run(
            fixture, people: "name,team,boss\n" + people.joined(), teams: "code\nx\ny\n",
            "team: {by: code, from: team}, boss: {by: name, from: boss}", rows: rows)
        #expect(report.rejected == 114 && rejections.allSatisfy { $0.reasons[0].code == 1590 })
        let boss = hasBosses ? "p103" : "NULL"
        #expect(
            try fixture.rows(membership)
                == [
                    "p100|NULL|x|NULL", "p101|NULL|y|NULL", "p102|NULL|x|NULL", "p103|NULL|y|NULL",
                    "p104|NULL|x|\(boss)", "p105|NULL|y|\(boss)",
                ])
    }

    @Test(arguments: [1, 1000])
    func tooFewAndTooManyRelatedObjectsRejectTheRecordsThatMakeThemSo(rows: Int) throws {
        let fixture = try ImportFixture(entities: Self.model(members: "optional=\"NO\" minCount=\"2\" maxCount=\"3\""))
        let (_, rejections) = try run(
            fixture, people: "name,team\na,x\nb,x\nc,y\nd,z\ne,z\nf,z\ng,z\n", teams: "code\nx\ny\nz\n",
            "team: {by: code, from: team}", rows: rows)
        #expect(rejections.map { "\($0.reasons[0].code) \($0.entity ?? "")" }.sorted() == ["1580 Team", "1590 Team"])
        #expect(
            try fixture.rows(membership)
                == [
                    "a|NULL|x|NULL", "b|NULL|x|NULL", "c|NULL|NULL|NULL", "d|NULL|z|NULL", "e|NULL|z|NULL",
                    "f|NULL|z|NULL",
                ])
        #expect(try fixture.rows("SELECT ZCODE FROM ZTEAM ORDER BY 1") == ["x", "z"])
        // Moving a away would leave x with one.
        let (_, moved) = try run(
            fixture, people: "name,team\na,z\nf,\n", teams: "code\n", "team: {by: code, from: team}", rows: rows)
        #expect(moved.count == 1)
        #expect(
            try fixture.rows("SELECT count(*) FROM ZPERSON p JOIN ZTEAM t ON t.Z_PK = p.ZTEAM WHERE t.ZCODE = 'x'") == [
                "2"
            ])
    }

    @Test func aRequiredListThatNamesNoMinimumMayBeEmptyAndItsMinimumCountsWhereItNamesOne() throws {
        for (members, codes) in [("optional=\"NO\"", ["x", "y"]), ("optional=\"NO\" minCount=\"1\"", ["x"])] {
            let fixture = try ImportFixture(entities: Self.model(members: members))
            let (_, rejections) = try run(
                fixture, people: "name,team\na,x\n", teams: "code\nx\ny\n", "team: {by: code, from: team}")
            #expect(try fixture.rows("SELECT ZCODE FROM ZTEAM ORDER BY 1") == codes)
            #expect(rejections.map(\.reasons[0].code) == [Int](repeating: 1580, count: 2 - codes.count))
        }
    }

    @Test(arguments: [1, 3, 1000])
    func theLogHasTheRejectedRecordsOfEachKindInTheOrderOfTheSource(rows: Int) throws {
        let fixture = try ImportFixture(entities: Self.model(boss: ""))
        let folder = fixture.directory.file("rejects")
        var people = "name,age,boss\n"
        // Odd ones depend on what never comes, some others have no number; the heads are their own.
        for index in 0..<40 {
            people += "p\(index),\(index % 10 == 4 ? "x" : "1"),\(index % 2 == 1 ? "gone" : "p\(index)")\n"
        }
        let (report, _) = try run(
            fixture, people: people, teams: "code\n", "boss: {by: name, from: boss}", rows: rows, rejects: folder)
        #expect(report.rejected == 24)
        let log = try String(contentsOfFile: folder + "/rejects.csv", encoding: .utf8)
        let records = log.split(separator: "\r\n").dropFirst().map { Int($0.split(separator: ",")[1]) ?? 0 }
        let early = records.filter { $0 % 10 == 5 }
        let late = records.filter { $0 % 10 != 5 }
        #expect(early == early.sorted() && early.count == 4)
        #expect(late == late.sorted() && late.count == 20)
        #expect(report.entities.first { $0.entity == "Person" }?.inserted == 16)
    }

    @Test func linksThatLeadNowhereAreSummedUpAndAllAreInTheLog() throws {
        let fixture = try ImportFixture(entities: Self.model())
        let folder = fixture.directory.file("rejects")
        let people = "name,team\n" + (0..<30).map { "p\($0),t\($0)\n" }.joined()
        let (report, rejections) = try run(
            fixture, people: people, teams: "code\n", "team: {by: code, from: team}", rejects: folder)
        #expect(rejections.isEmpty && report.rejected == 0 && report.unresolvedLinks == 30)
        #expect(report.findings.filter { $0.contains("no object of Team") }.count == 10)
        #expect(report.description.contains("30 links lead to objects that do not exist"))
        let log = try String(contentsOfFile: folder + "/rejects.ndjson", encoding: .utf8)
        #expect(log.split(separator: "\n").count == 30 && log.contains(#""record":30,"line":31"#))
        #expect(!FileManager.default.fileExists(atPath: folder + "/people.rejected.csv"))
    }
}
