import ImportTestSupport
import PersistentStores
import SQLiteAccess
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Random imports into a new store whose to-ones lead to owners that keep their objects in order, once assembled and
/// once written by SQLite: all places are the same.
@Suite struct AssembledOrderTests {
    /// - Parameter isCodeOptional: a record may turn out to be rejected that does not mention what a new object needs.
    private static func entities(isCodeOptional: Bool = true) -> String {
        """
        <entity name="Team"><attribute name="code" optional="\(isCodeOptional ? "YES" : "NO")" attributeType="String"/>
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="people" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" \
        inverseName="team" inverseEntity="Person"/></entity>
        <entity name="Person"><attribute name="number" optional="YES" attributeType="Integer 32"/>
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="people" \
        inverseEntity="Team"/>
        <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
        inverseEntity="Person"/>
        <relationship name="staff" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" \
        inverseName="boss" inverseEntity="Person"/>
        <fetchIndex name="byTeam"><fetchIndexElement property="team" type="Binary" order="ascending"/></fetchIndex>
        </entity>
        """
    }

    private struct Scenario {
        var mapping = ""
        var teams = ""
        var people: [String] = []

        /// - Parameter makesTeams: whether the records of people make their teams.
        init(makesTeams: Bool, _ random: inout RandomNumbers) {
            let missing = ["skip", "create", "error"]
            func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
            let boss = makesTeams ? "skip" : pick(missing)
            let team = boss == "error" ? "skip" : pick(missing)
            let isSafe = boss != "error" && team != "error"
            // Of records that are rejected when all are read, and skip or fill, SQLite loses the places of those behind them.
            let rule = isSafe ? pick(["update", "update", "fill", "skip"]) : "update"
            let hasKey = Bool.random(using: &random)
            let key = hasKey ? "key: number" : "# no key"
            let by = hasKey ? "number" : "name"
            func person(_ indent: String, _ team: String) -> String {
                // Objects of a record are not found by the keys of others.
                let other = makesTeams ? "" : ", boss: {by: \(by), from: boss, onMissing: \(hasKey ? boss : "skip")}"
                return [
                    "entity: Person", key, "onMatch: \(rule)", "attributes: [number, name]",
                    "relationships: {\(team)\(other)}",
                ].map { indent + $0 + "\n" }.joined()
            }
            let teamSource = """
                  - files: teams.json
                    entity: Team
                    key: code
                    onMatch: \(pick(["update", "skip"]))
                    attributes: [code, title]

                """
            let peopleSource =
                makesTeams
                ? "  - files: people*.json\n    objects:\n      - id: person\n"
                    + person("        ", "team: {object: team}")
                    + "      - {id: team, entity: Team, key: code, attributes: {code: team}}\n"
                : "  - files: people*.json\n"
                    + person("    ", "team: {by: code, from: team, onMissing: \(team)}")
            mapping = "import: 1\nsources:\n" + [teamSource, peopleSource].shuffled(using: &random).joined()
            func number(below limit: Int) -> String { "\(Int.random(in: 0..<limit, using: &random))" }
            for _ in 0..<Int.random(in: 0..<9, using: &random) {
                teams += "{\"code\": \"t\(number(below: 6))\", \"title\": \"T\(number(below: 2))\"}\n"
            }
            let keys = [5, 12, 1000].randomElement(using: &random) ?? 5
            let codes = isSafe ? 7 : 4
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                var text = ""
                for _ in 0..<Int.random(in: 0..<30, using: &random) {
                    let fields = [
                        "\"number\": \(number(below: keys))", "\"name\": \"n\(number(below: keys))\"",
                        pick(["", "\"team\": null", "\"team\": \"t\(number(below: codes))\""]),
                        pick([
                            "", "\"boss\": null",
                            "\"boss\": \(hasKey ? number(below: keys) : "\"n\(number(below: keys))\"")",
                        ]),
                    ]
                    text += "{" + fields.filter { !$0.isEmpty }.joined(separator: ", ") + "}\n"
                }
                people.append(text)
            }
        }
    }

    private static let queries = [
        "SELECT ZCODE, ZTITLE FROM ZTEAM ORDER BY 1, 2",
        """
        SELECT p.ZNUMBER, p.ZNAME, t.ZCODE, p.Z_FOK_TEAM, b.ZNUMBER, b.ZNAME, p.Z_FOK_BOSS, p.ZTEAM IS NULL, \
        p.ZBOSS IS NULL FROM ZPERSON p LEFT JOIN ZTEAM t ON t.Z_PK = p.ZTEAM LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS \
        ORDER BY 1, 2, 3, 4, 5, 6, 7
        """,
        // No two have one place, and none has a place without an owner, or the other way round.
        "SELECT count(*) FROM ZPERSON WHERE ZTEAM IS NOT NULL GROUP BY ZTEAM, Z_FOK_TEAM HAVING count(*) > 1",
        "SELECT count(*) FROM ZPERSON WHERE ZBOSS IS NOT NULL GROUP BY ZBOSS, Z_FOK_BOSS HAVING count(*) > 1",
        "SELECT count(*) FROM ZPERSON WHERE (ZTEAM IS NULL) <> (Z_FOK_TEAM IS NULL) "
            + "OR (ZBOSS IS NULL) <> (Z_FOK_BOSS IS NULL)",
    ]

    @Test(arguments: [1, 2, 3, 7, 1000], [false, true])
    func placesAreThoseThatSQLiteWrites(size: Int, makesTeams: Bool) throws {
        var (assembled, placed) = (0, 0)
        var reasons: Set<String> = []
        let seeds = RandomNumbers.seeds(40)
        for seed in seeds {
            var random = RandomNumbers(seed: UInt64(size * 1000 + seed))
            let scenario = Scenario(makesTeams: makesTeams, &random)
            var options = ImportOptions(assembling: size, &random)
            let mapping = try ImportMapping(yaml: scenario.mapping)
            func store(_ writer: NewStoreWriter) throws -> (rows: [[String]], report: ImportReport) {
                let fixture = try ImportFixture(entities: Self.entities(isCodeOptional: makesTeams))
                options.writer = writer
                var files = [try fixture.write(scenario.teams, as: "teams.json")]
                for (index, text) in scenario.people.enumerated() {
                    files.append(try fixture.write(text, as: "people\(index).json"))
                }
                if scenario.mapping.contains("sources:\n  - files: people") { files.append(files.removeFirst()) }
                let report = try fixture.run(files, .mapping(mapping), options: options)
                #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
                if seed % 10 == 0 { #expect(try fixture.faults() == []) }
                return (try Self.queries.map { try fixture.rows($0) }, report)
            }
            let (found, expected) = (try store(.auto), try store(.sqlite))
            let context =
                "seed \(seed)\n\(scenario.mapping)\n\(scenario.teams)\n\(scenario.people.joined(separator: "\n"))\n\(options)"
            try #require(found.rows == expected.rows, "\(context)")
            #expect(found.report.entities.map(\.inserted) == expected.report.entities.map(\.inserted), "\(context)")
            #expect(found.report.entities.map(\.related) == expected.report.entities.map(\.related), "\(context)")
            #expect(found.report.rejected == expected.report.rejected, "\(context)")
            #expect(found.report.unresolvedLinks == expected.report.unresolvedLinks, "\(context)")
            reasons.formUnion(found.report.lookupReasons ?? [])
            if found.report.isAssembled {
                #expect(found.rows.suffix(3) == [[], [], ["0"]], "\(context)")
                assembled += 1
                placed += found.rows[1].count
            }
        }
        #expect(assembled * 2 >= seeds.count, "\(reasons)")
        #expect(placed > seeds.count)
    }

    /// Two mappings of a record make people, whose places depend on the record.
    @Test(arguments: [1, 2, 1000], [NewStoreWriter.builder, .sqlite])
    func severalObjectsOfARecordAreInTheOrderOfTheRecords(size: Int, writer: NewStoreWriter) throws {
        let fixture = try ImportFixture(entities: Self.entities())
        let mapping = """
            sources:
              - files: people.csv
                objects:
                  - {id: one, entity: Person, attributes: {name: one}, relationships: {team: {object: team}}}
                  - {id: other, entity: Person, attributes: {name: other}, relationships: {team: {object: team}}}
                  - {id: team, entity: Team, key: code, attributes: {code: team}}
            """
        var options = ImportOptions(limits: RecordBatch.Limits(rows: size))
        options.writer = writer
        try fixture.run(
            "one,other,team\na,b,t\nc,d,t\ne,f,t\n", as: "people.csv", mapping: mapping, options: options)
        #expect(
            try fixture.rows("SELECT group_concat(ZNAME) FROM (SELECT ZNAME FROM ZPERSON ORDER BY Z_FOK_TEAM)")
                == ["a,b,c,d,e,f"])
    }
}
