import Foundation
import ImportTestSupport
import SQLiteAccess
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Objects that a mirrored source has no more, and what goes and stays with them.
@Suite struct MirrorImportTests {
    /// - Parameters:
    ///   - people: the delete rule of a team's people.
    ///   - needsTeam: whether a person must have a team.
    private static func fixture(people: String = "Nullify", needsTeam: Bool = false) throws -> ImportFixture {
        func toOne(_ name: String, _ entity: String, _ inverse: String, isOptional: Bool = true) -> String {
            "<relationship name=\"\(name)\" \(isOptional ? "optional=\"YES\" " : "")maxCount=\"1\" "
                + "deletionRule=\"Nullify\" destinationEntity=\"\(entity)\" inverseName=\"\(inverse)\" "
                + "inverseEntity=\"\(entity)\"/>"
        }
        func toMany(_ name: String, _ entity: String, _ inverse: String, _ rule: String) -> String {
            "<relationship name=\"\(name)\" optional=\"YES\" toMany=\"YES\" deletionRule=\"\(rule)\" "
                + "destinationEntity=\"\(entity)\" inverseName=\"\(inverse)\" inverseEntity=\"\(entity)\"/>"
        }
        return try ImportFixture(
            entities: """
                <entity name="Team"><attribute name="code" attributeType="String"/>
                <attribute name="size" optional="YES" attributeType="Integer 16"/>
                <attribute name="badge" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                \(toMany("people", "Person", "team", people))\(toMany("kits", "Kit", "team", "Cascade"))\
                \(toMany("tags", "Tag", "teams", "Nullify"))</entity>
                <entity name="Club" parentEntity="Team"><attribute name="city" optional="YES" attributeType="String"/></entity>
                <entity name="Tag"><attribute name="word" attributeType="String"/>\(toMany("teams", "Team", "tags", "Nullify"))</entity>
                <entity name="Person"><attribute name="name" attributeType="String"/>
                \(toOne("team", "Team", "people", isOptional: !needsTeam))</entity>
                <entity name="Kit"><attribute name="serial" attributeType="String"/>
                \(toOne("team", "Team", "kits"))\(toMany("parts", "Part", "kit", "Cascade"))</entity>
                <entity name="Part"><attribute name="serial" attributeType="String"/>\(toOne("kit", "Kit", "parts"))</entity>
                """)
    }

    private static let teams = """
        files: teams*
        entity: Team
        key: code
        mirror: true
        where: {active: y}
        attributes: [code, size]

        """

    private static let everything = """
        sources:
          - {files: teams*, entity: Team, key: code, attributes: [code, size],
             relationships: {tags: {by: word, from: tags, separator: "|", onMissing: create}}}
          - {files: people*, entity: Person, key: name, attributes: [name], relationships: {team: {by: code, from: team}}}
          - {files: kits*, entity: Kit, key: serial, attributes: [serial], relationships: {team: {by: code, from: team}}}
          - {files: parts*, entity: Part, key: serial, attributes: [serial], relationships: {kit: {by: serial, from: kit}}}

        """

    /// Fills a store with teams that have a person, a kit with a part, and two tags each.
    private static func fill(_ fixture: ImportFixture, teams: [String]) throws {
        func file(_ name: String, _ header: String, _ line: (String) -> String) throws -> String {
            try fixture.write(header + "\n" + teams.map { line($0) + "\n" }.joined(), as: name)
        }
        try fixture.run(
            [
                file("teams.csv", "code,size,tags") { "\($0),1,all|\($0)" },
                file("people.csv", "name,team") { "p\($0),\($0)" },
                file("kits.csv", "serial,team") { "k\($0),\($0)" }, file("parts.csv", "serial,kit") { "q\($0),k\($0)" },
            ], .mapping(try ImportMapping(yaml: "import: 1\n" + everything)))
    }

    private static func options(_ limit: DeleteLimit = .careful) -> ImportOptions {
        var options = ImportOptions(limits: RecordBatch.Limits(rows: 2))
        options.maximumDeletes = limit
        return options
    }

    private static let state = """
        SELECT 'team', ZCODE, (SELECT count(*) FROM Z_1TEAMS WHERE Z_6TEAMS = t.Z_PK) FROM ZTEAM t UNION ALL
        SELECT 'person', ZNAME, ifnull((SELECT ZCODE FROM ZTEAM t WHERE t.Z_PK = ZTEAM), '-') FROM ZPERSON UNION ALL
        SELECT 'kit', ZSERIAL, ifnull((SELECT ZCODE FROM ZTEAM t WHERE t.Z_PK = ZTEAM), '-') FROM ZKIT UNION ALL
        SELECT 'part', ZSERIAL, (SELECT ZSERIAL FROM ZKIT k WHERE k.Z_PK = ZKIT) FROM ZPART ORDER BY 1, 2
        """

    /// The join table's name and column are as the entities are numbered.
    private static func state(of fixture: ImportFixture) throws -> [String] {
        let tables = try fixture.rows(
            "SELECT name FROM sqlite_master WHERE name LIKE 'Z\\__TAGS' ESCAPE '\\' "
                + "OR name LIKE 'Z\\__TEAMS' ESCAPE '\\'")
        let table = try #require(tables.first)
        let columns = try fixture.rows("SELECT name FROM pragma_table_info('\(table)') WHERE name LIKE '%TEAMS%'")
        let column = try #require(columns.first)
        return try fixture.rows(
            state.replacing("Z_1TEAMS WHERE Z_6TEAMS", with: "\(table) WHERE \(column)"))
    }

    /// What there is when these teams are left of all, told plainly.
    private static func expected(_ all: [String], left: Set<String>, new: [String] = []) -> [String] {
        var rows = all.filter(left.contains).flatMap { ["team|\($0)|2", "kit|k\($0)|\($0)", "part|q\($0)|k\($0)"] }
        rows += all.map { "person|p\($0)|\(left.contains($0) ? $0 : "-")" } + new.map { "team|\($0)|0" }
        return rows.sorted()
    }

    @Test(arguments: RandomNumbers.seeds(16))
    func whatNoRecordHasGoesByTheDeleteRulesWhateverTheBatches(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let fixture = try Self.fixture()
        let all = (10..<30).map { "t\($0)" }
        try Self.fill(fixture, teams: all)
        var left = Set<String>()
        var new: [String] = []
        var lines: [String] = []
        for team in (all + ["n1", "n2", "n3"]).shuffled(using: &random) {
            let isNew = !all.contains(team)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: continue
            // A record that the filter leaves out is not there.
            case 1: lines.append("\(team),1,n")
            // A rejected record has its object all the same.
            case 2:
                lines.append("\(team),99999,y")
                if !isNew { left.insert(team) }
            default:
                lines.append("\(team),\(Int.random(in: 1...9, using: &random)),y")
                if isNew { new.append(team) } else { left.insert(team) }
                if Bool.random(using: &random) { lines.append("\(team),5,y") }
            }
        }
        var options = Self.options(.count(1000))
        options.limits.rows = Int.random(in: 1...7, using: &random)
        options.commit = seed % 3 == 0 ? .batch : .whole
        options.fixedLimits.cachedObjects = Int.random(in: 1...3, using: &random)
        let report = try fixture.run(
            "code,size,active\n" + lines.map { $0 + "\n" }.joined(), as: "teams.csv", mapping: Self.teams,
            options: options)
        #expect(try Self.state(of: fixture) == Self.expected(all, left: left, new: new))
        let gone = Int64(all.count - left.count)
        let deleted = Dictionary(uniqueKeysWithValues: report.entities.map { ($0.entity, $0.deleted) })
        #expect(deleted["Team"] == gone && deleted["Kit"] ?? 0 == gone && deleted["Part"] ?? 0 == gone)
        #expect(report.description.contains("deleted") == (gone > 0))
        #expect(try fixture.rows("SELECT name FROM sqlite_master WHERE name LIKE '%ferry%'") == [])
        #expect(try fixture.faults() == [])
    }

    @Test func aRelationshipThatDeniesKeepsAllObjects() throws {
        let fixture = try Self.fixture(people: "Deny")
        try Self.fill(fixture, teams: ["a", "b", "c"])
        let before = try Self.state(of: fixture)
        let report = try fixture.run(
            "code,size,active\na,1,y\n", as: "teams.csv", mapping: Self.teams, options: Self.options(.count(9)))
        #expect(
            report.hasFindings && report.findings.contains { $0.contains("Team.people denies it for 2 objects [1600]") }
        )
        #expect(report.entities.allSatisfy { $0.deleted == 0 })
        #expect(try Self.state(of: fixture) == before)
    }

    @Test func objectsThatOthersNeedStay() throws {
        let fixture = try Self.fixture(needsTeam: true)
        try Self.fill(fixture, teams: ["a", "b", "c"])
        let before = try Self.state(of: fixture)
        let report = try fixture.run(
            "code,size,active\na,1,y\n", as: "teams.csv", mapping: Self.teams, options: Self.options(.count(9)))
        #expect(report.findings.contains { $0.contains("2 objects would lack what Person.team needs [1570]") })
        #expect(try Self.state(of: fixture) == before)
    }

    @Test func aRejectedRecordWithoutAKeyThatCanBeReadKeepsAllObjects() throws {
        let fixture = try Self.fixture()
        try Self.fill(fixture, teams: ["a", "b", "c"])
        // The second record has too few fields: which team it is of nobody knows.
        let report = try fixture.run(
            "code,size,active\na,1,y\nb\n", as: "teams.csv",
            mapping: Self.teams.replacing("where: {active: y}\n", with: ""),
            options: Self.options(.count(9)))
        #expect(report.rejected == 1)
        #expect(report.findings.contains { $0.contains("1 rejected record has keys that cannot be read") })
        #expect(try fixture.rows("SELECT count(*) FROM ZTEAM") == ["3"])
    }

    @Test func moreObjectsThanAllowedGoNotAndNothingChanges() throws {
        let fixture = try Self.fixture()
        let all = (10..<40).map { "t\($0)" }
        try Self.fill(fixture, teams: all)
        let before = try Self.state(of: fixture)
        func records(_ teams: some Sequence<String>) -> String {
            "code,size,active\n" + teams.map { "\($0),2,y\n" }.joined()
        }
        func importing(_ teams: some Sequence<String>, _ limit: DeleteLimit) throws -> ImportReport {
            try fixture.run(records(teams), as: "teams.csv", mapping: Self.teams, options: Self.options(limit))
        }
        // Each team takes a kit and a part along.
        #expect(
            throws: ImportError.tooManyDeletes(
                12, "Team: 4, Kit: 4, Part: 4".split(separator: ", ").sorted().joined(separator: ", "),
                limit: "a tenth of the 30 objects of the mirrored entities, or 10, and never all of an entity")
        ) {
            try importing(all.dropFirst(4), .careful)
        }
        #expect(throws: ImportError.self) { try importing(all.dropFirst(4), .count(11)) }
        let refusal = #expect(throws: ImportError.self) { try importing(all.dropFirst(4), .percent(39)) }
        let words = refusal?.description ?? ""
        #expect(words.contains("no more may be than 39 % of the 30 objects of the mirrored entities"))
        #expect(words.contains("--max-deletes 12"))
        #expect(throws: ImportError.self) { try importing([], .careful) }
        #expect(try Self.state(of: fixture) == before)
        #expect(try importing(all.dropFirst(3), .careful).entities.map(\.deleted).reduce(0, +) == 9)
        #expect(try importing(all.dropFirst(4), .percent(12)).entities.map(\.deleted).reduce(0, +) == 3)
        #expect(try importing([], .count(78)).entities.map(\.deleted).reduce(0, +) == 78)
        #expect(try fixture.rows("SELECT count(*) FROM ZTEAM") == ["0"])
    }

    /// What goes with all objects of a mirrored entity makes more than it has.
    @Test func aHundredPercentAllowsWhatGoesWithAllOfThem() throws {
        let fixture = try Self.fixture()
        try Self.fill(fixture, teams: ["a", "b", "c"])
        func importing(_ limit: DeleteLimit) throws -> Int64 {
            try fixture.run(
                "code,size,active\n", as: "teams.csv", mapping: Self.teams, options: Self.options(limit)
            ).entities.map(\.deleted).reduce(0, +)
        }
        #expect(throws: ImportError.self) { try importing(.percent(99)) }
        #expect(try importing(.percent(100)) == 9)
        #expect(try fixture.rows("SELECT count(*) FROM ZTEAM") == ["0"])
    }

    @Test func anEntityNeverLosesAllObjectsUnlessItIsAllowed() throws {
        let fixture = try Self.fixture()
        try Self.fill(fixture, teams: ["a", "b"])
        #expect(throws: ImportError.self) {
            try fixture.run("code,size,active\n", as: "teams.csv", mapping: Self.teams, options: Self.options())
        }
        #expect(try fixture.rows("SELECT count(*) FROM ZTEAM") == ["2"])
    }

    @Test func aDryRunCountsWhatWouldGo() throws {
        let fixture = try Self.fixture()
        try Self.fill(fixture, teams: ["a", "b", "c"])
        let before = try Self.state(of: fixture)
        var options = Self.options()
        options.isDryRun = true
        let report = try fixture.run(
            "code,size,active\na,1,y\nb,1,y\n", as: "teams.csv", mapping: Self.teams, options: options)
        #expect(report.entities.first { $0.entity == "Team" }?.deleted == 1)
        #expect(try Self.state(of: fixture) == before)
    }

    @Test func objectsOfSubentitiesStay() throws {
        let fixture = try Self.fixture()
        try Self.fill(fixture, teams: ["a", "b"])
        try fixture.run("code\nc\n", as: "clubs.csv", mapping: "entity: Club\nkey: code\nattributes: [code]\n")
        try fixture.run(
            "code,size,active\na,1,y\n", as: "teams.csv", mapping: Self.teams, options: Self.options(.count(9)))
        #expect(try fixture.rows("SELECT ZCODE FROM ZTEAM ORDER BY 1") == ["a", "c"])
    }

    @Test func filesOfLargeValuesGoWithTheirObjects() throws {
        let fixture = try Self.fixture()
        let value = String(repeating: "QUJD", count: 50_000)
        try fixture.run(
            "code,badge\na,\(value)\nb,\(value)\n", as: "teams.csv",
            mapping: "entity: Team\nkey: code\nattributes: [code, badge]\n")
        #expect(try fixture.directory.names(in: ".store_SUPPORT/_EXTERNAL_DATA").count == 2)
        try fixture.run(
            "code,size,active\na,1,y\n", as: "teams.csv", mapping: Self.teams, options: Self.options(.count(9)))
        #expect(try fixture.directory.names(in: ".store_SUPPORT/_EXTERNAL_DATA").count == 1)
    }

    @Test func partsThatTheirOwnerHasNoMoreAreDeleted() throws {
        let fixture = try Self.fixture()
        let mapping = """
            files: kits*
            entity: Kit
            key: serial
            mirror: true
            attributes: [serial]
            relationships:
              parts: {each: 'parts[*]', entity: Part, attributes: {serial: no}}
              team: {each: team, entity: Team, attributes: {code: code}}

            """
        try fixture.run(
            """
            [{"serial": "k1", "parts": [{"no": "1"}, {"no": "2"}, {"no": "3"}], "team": {"code": "x"}},
             {"serial": "k2", "parts": [{"no": "4"}], "team": {"code": "y"}}]
            """, as: "kits.json", mapping: mapping)
        // A part that belongs to nobody was not replaced.
        try fixture.run("serial\nlone\n", as: "parts.csv", mapping: "entity: Part\nattributes: [serial]\n")
        let report = try fixture.run(
            """
            [{"serial": "k1", "parts": [{"no": "3"}], "team": {"code": "x"}}, {"serial": "k2", "parts": []}]
            """, as: "kits.json", mapping: mapping, options: Self.options(.count(9)))
        #expect(try fixture.rows("SELECT ZSERIAL, ZKIT IS NULL FROM ZPART ORDER BY 1") == ["3|0", "lone|1"])
        #expect(report.entities.first { $0.entity == "Part" }?.deleted == 3)
        #expect(try fixture.faults() == [])
    }

    @Test(arguments: [1, 2, 3])
    func anInterruptedImportGoesOnWithWhatItsRecordsHad(commits: Int) throws {
        let fixture = try Self.fixture()
        let all = (10..<20).map { "t\($0)" }
        try Self.fill(fixture, teams: all)
        let text = "code,size,active\n" + all.prefix(7).map { "\($0),2,y\n" }.joined()
        var options = Self.options(.count(9))
        options.commit = .batch
        var committed = 0
        options.onCheckpoint = { if $0 == "batch committed" { committed += 1 } }
        options.isCancelled = { committed > commits }
        #expect(throws: ImportError.cancelledBetweenBatches) {
            try fixture.run(text, as: "teams.csv", mapping: Self.teams, options: options)
        }
        #expect(try fixture.rows("SELECT count(*) FROM ZTEAM") == ["10"])
        options.onCheckpoint = nil
        options.isCancelled = nil
        options.isResuming = true
        try fixture.run(text, as: "teams.csv", mapping: Self.teams, options: options)
        #expect(try Self.state(of: fixture) == Self.expected(all, left: Set(all.prefix(7))))
    }

    @Test func historyTellsWhatWasDeleted() throws {
        let fixture = try Self.fixture()
        try Self.fill(fixture, teams: ["a", "b"])
        let connection = try Connection(path: fixture.store, access: .readWrite)
        try connection.execute(
            """
            CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
            ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
            CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, \
            ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, \
            ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB);
            CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
            INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0), \
            (16003, 'TRANSACTIONSTRING', 0, 0);
            """)
        try connection.close()
        try fixture.run(
            "code,size,active\na,1,y\n", as: "teams.csv", mapping: Self.teams, options: Self.options(.count(9)))
        #expect(
            try fixture.rows(
                """
                SELECT Z_NAME, ZCHANGETYPE, ZENTITYPK FROM ACHANGE JOIN Z_PRIMARYKEY p ON p.Z_ENT = ZENTITY \
                ORDER BY 1, 2
                """) == ["Kit|2|2", "Part|2|2", "Person|1|2", "Team|2|2"])
    }

    @Test func aMirrorNeedsAKey() throws {
        let fixture = try Self.fixture()
        let mapping = try ImportMapping(yaml: "import: 1\nentity: Team\nmirror: true\nattributes: [code]\n")
        let problems = ImportMappingReview(mapping, model: fixture.model).problems
        #expect(problems.map(\.code) == [.noKeyForMirror])
        #expect(problems.first?.place.key == "mirror")
        #expect(throws: ImportPlanError.self) {
            try fixture.run([fixture.write("code\na\n", as: "t.csv")], .mapping(mapping))
        }
        let keyed = try ImportMapping(yaml: "import: 1\nentity: Team\nkey: code\nmirror: true\nattributes: [code]\n")
        #expect(keyed.sources[0].objects[0].mirrors)
        #expect(try ImportMapping(yaml: ImportMappingWriter.yaml(keyed)) == keyed)
    }

    /// A record of the mirrored source may still be rejected when all are read.
    @Test(arguments: [1, 2, 1000])
    func aMirroredSourceMayDemandWhatItsRecordsName(size: Int) throws {
        let fixture = try Self.fixture()
        try Self.fill(fixture, teams: ["a", "b", "c"])
        let mapping = """
            files: crew*
            entity: Person
            key: name
            mirror: true
            attributes: [name]
            relationships: {team: {by: code, from: team, onMissing: error}}

            """
        var options = ImportOptions()
        options.limits.rows = size
        options.maximumDeletes = .percent(100)
        let report = try fixture.run(
            "name,team\npa,b\npc,none\npd,c\n", as: "crew.csv", mapping: mapping, options: options)
        #expect(report.rejected == 1)
        let rows = try fixture.rows(
            "SELECT p.ZNAME, t.ZCODE FROM ZPERSON p LEFT JOIN ZTEAM t ON t.Z_PK = p.ZTEAM ORDER BY 1")
        // The rejected record is one of the source all the same: its object stays as it was.
        #expect(rows == ["pa|b", "pc|c", "pd|c"])
        #expect(try fixture.faults() == [])
    }
}
