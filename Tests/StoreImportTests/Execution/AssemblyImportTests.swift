import ImportTestSupport
import PersistentStores
import SQLiteAccess
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Random imports into a new store, once assembled and once written by SQLite: both stores are the same, row by row.
@Suite struct AssemblyImportTests {
    private static func entities(isUnique: Bool, isNameOptional: Bool) -> String {
        func constraint(_ name: String) -> String {
            isUnique
                ? "<uniquenessConstraints><uniquenessConstraint><constraint value=\"\(name)\"/></uniquenessConstraint>"
                    + "</uniquenessConstraints>" : ""
        }
        return """
            <entity name="Team"><attribute name="code" attributeType="String"/>
            <attribute name="title" optional="YES" attributeType="String"/>
            <attribute name="size" optional="YES" attributeType="Integer 32" defaultValueString="5"/>
            <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" \
            inverseEntity="Person"/>\(constraint("code"))</entity>
            <entity name="Person"><attribute name="number" attributeType="Integer 32"/>
            <attribute name="name" optional="\(isNameOptional ? "YES" : "NO")" attributeType="String"/>
            <attribute name="weight" optional="YES" attributeType="Double"/>
            <attribute name="photo" optional="YES" attributeType="Binary"/>
            <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="people" \
            inverseEntity="Team"/>
            <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
            inverseEntity="Person"/>
            <relationship name="staff" optional="YES" toMany="YES" destinationEntity="Person" inverseName="boss" \
            inverseEntity="Person"/>
            <fetchIndex name="byName"><fetchIndexElement property="name" type="Binary" order="ascending"/></fetchIndex>
            \(constraint("number"))</entity>
            """
    }

    private struct Scenario {
        var entities = ""
        var mapping = ""
        var teams = ""
        var people = ""
        /// Whether several records may be of one person. How often links change on the way depends on the batches.
        var hasRepeats = false

        /// - Parameter isNested: whether records are JSON objects, in which names may be missing.
        init(isNested: Bool, _ random: inout RandomNumbers) {
            let missing = ["skip", "create", "error"]
            func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
            let ending = isNested ? "json" : "csv"
            let teamSource = """
                  - files: teams.\(ending)
                    entity: Team
                    key: code
                    onMatch: \(pick(["update", "fill", "skip"]))
                    attributes: [code, title, size]

                """
            let boss = pick(isNested ? ["skip"] : ["skip", "skip"] + missing)
            let team = boss == "error" ? "skip" : pick(missing)
            entities = AssemblyImportTests.entities(
                isUnique: Bool.random(using: &random), isNameOptional: boss == "create")
            hasRepeats = !isNested || Bool.random(using: &random)
            let peopleSource = """
                  - files: people*.\(ending)
                    entity: Person
                    key: number
                    onMatch: \(pick(["update", "skip"]))
                    attributes: [number, name, weight, photo]
                    relationships:
                      team: {by: code, from: team, onMissing: \(team)}
                      boss: {by: number, from: boss, onMissing: \(boss)}

                """
            let sources = Bool.random(using: &random) ? teamSource + peopleSource : peopleSource + teamSource
            mapping = "import: 1\nsources:\n" + sources
            func row(_ fields: [(String, String?)]) -> String {
                guard isNested else { return fields.map { $0.1 ?? "" }.joined(separator: ",") + "\n" }
                return "{"
                    + fields.compactMap { name, value in value.map { "\"\(name)\": \"\($0)\"" } }.joined(
                        separator: ", ")
                    + "}\n"
            }
            func maybe(_ value: String, in number: Int = 4) -> String? {
                Int.random(in: 0..<number, using: &random) == 0 ? nil : value
            }
            func number(below limit: Int) -> String { "\(Int.random(in: 0..<limit, using: &random))" }
            if !isNested { (teams, people) = ("code,title,size\n", "number,name,weight,photo,team,boss\n") }
            for _ in 0..<Int.random(in: 0..<12, using: &random) {
                teams += row([
                    ("code", "t" + number(below: 8)), ("title", maybe("T" + number(below: 3))),
                    ("size", maybe(number(below: 3))),
                ])
            }
            let count = Int.random(in: 0..<40, using: &random)
            let keys = [20, 60, 1000].randomElement(using: &random) ?? 20
            let numbers = (0..<count).shuffled(using: &random)
            for index in 0..<count {
                people += row([
                    ("number", hasRepeats ? number(below: keys) : "\(numbers[index])"),
                    ("name", isNested ? maybe("n" + number(below: 4)) : "n" + number(below: 4)),
                    ("weight", maybe(number(below: 3) + ".5")), ("photo", maybe("AQID")),
                    ("team", maybe("t" + number(below: 12))), ("boss", maybe(number(below: keys))),
                ])
            }
        }
    }

    private static func limits(_ random: inout RandomNumbers) -> ImportOptions {
        func next() -> Int { [1, 2, 3, 7, 100].randomElement(using: &random) ?? 1 }
        var options = ImportOptions(limits: RecordBatch.Limits(rows: next()))
        options.fixedLimits.assembly.keysInMemory = next()
        options.fixedLimits.assembly.entriesPerPart = next()
        options.fixedLimits.assembly.waitingEntries = next()
        options.fixedLimits.assembly.sortMemory = next() * 40
        options.fixedLimits.packedBytes = next() * 20
        options.fixedLimits.assembly.entriesAside = [0, 1, 7, 1 << 12].randomElement(using: &random) ?? 0
        options.fixedLimits.assembly.linkedRows = next()
        options.fixedLimits.assembly.linkedBytes = next() * 40
        return options
    }

    private static let queries = [
        // Records that are taken back leave gaps where SQLite writes.
        "SELECT row_number() OVER (ORDER BY Z_PK), Z_ENT, ZCODE, ZTITLE, ZSIZE FROM ZTEAM ORDER BY Z_PK",
        """
        SELECT row_number() OVER (ORDER BY p.Z_PK), p.Z_ENT, p.ZNUMBER, p.ZNAME, p.ZWEIGHT, p.ZPHOTO, t.ZCODE, \
        b.ZNUMBER, p.ZTEAM IS NULL, p.ZBOSS IS NULL FROM ZPERSON p LEFT JOIN ZTEAM t ON t.Z_PK = p.ZTEAM
        LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS ORDER BY p.Z_PK
        """,
    ]

    /// - Returns: whether the store could be assembled.
    private func check(seed: UInt64, isNested: Bool) throws -> Bool {
        var random = RandomNumbers(seed: seed)
        let scenario = Scenario(isNested: isNested, &random)
        var options = Self.limits(&random)
        let mapping = try ImportMapping(yaml: scenario.mapping)
        func store(_ writer: NewStoreWriter, cachedObjects: Int) throws -> (rows: [String], report: ImportReport) {
            let fixture = try ImportFixture(entities: scenario.entities)
            options.writer = writer
            options.fixedLimits.cachedObjects = cachedObjects
            let ending = isNested ? "json" : "csv"
            let report = try fixture.run(
                [
                    try fixture.write(scenario.teams, as: "teams." + ending),
                    try fixture.write(scenario.people, as: "people." + ending),
                ], .mapping(mapping), options: options)
            if writer == .auto {
                #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
                if report.isAssembled {
                    let gaps = "SELECT count(*) FROM ZPERSON HAVING ifnull(max(Z_PK), 0) <> count(*)"
                    #expect(try fixture.rows(gaps) == [])
                }
            }
            let rows = try Self.queries.flatMap { try fixture.rows($0) }
            guard scenario.hasRepeats, isNested || scenario.mapping.contains("onMissing: error") else {
                return (rows, report)
            }
            // SQLite leaves an object where it was whose first record is taken back.
            return (rows.map { String($0.drop { $0 != "|" }) }.sorted(), report)
        }
        let assembled = try store(.auto, cachedObjects: [0, 1, 3, 20_000].randomElement(using: &random) ?? 0)
        let written = try store(.sqlite, cachedObjects: 20_000)
        let context = "seed \(seed)\n\(scenario.mapping)\n\(scenario.teams)\n\(scenario.people)\n\(options)"
        try #require(assembled.rows == written.rows, "\(context)")
        func counts(_ report: ImportReport) -> [ImportReport.EntityReport] {
            report.entities.map { entity in
                var entity = entity
                if scenario.hasRepeats {
                    entity.unchanged += entity.updated
                    entity.updated = 0
                }
                return entity
            }
        }
        #expect(counts(assembled.report) == counts(written.report), "\(context)")
        #expect(assembled.report.rejected == written.report.rejected, "\(context)")
        #expect(assembled.report.unresolvedLinks == written.report.unresolvedLinks, "\(context)")
        return assembled.report.isAssembled
    }

    @Test(arguments: [false, true])
    func assembledStoresAreThoseThatSQLiteWrites(isNested: Bool) throws {
        var assembled = 0
        let seeds = RandomNumbers.seeds(100)
        for seed in seeds where try check(seed: UInt64(seed), isNested: isNested) { assembled += 1 }
        #expect(assembled * 5 >= seeds.count * 2)
    }

    // MARK: - Several objects in a record

    /// Records that make a person, a team and a club, or a part of these: with keys and without, each with each rule.
    private struct RecordOfSeveral {
        var entities = ""
        var mapping = ""
        var text = "number,name,team,title,size,club,motto,boss\n"
        /// Teams alone, which change what records of people said of them.
        var teams = "team,title,size\n"

        init(_ random: inout RandomNumbers) {
            func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
            func rule() -> String { pick(["update", "fill", "skip"]) }
            entities = """
                <entity name="Club"><attribute name="code" optional="YES" attributeType="String"/>
                <attribute name="motto" optional="YES" attributeType="String"/>
                <relationship name="teams" optional="YES" toMany="YES" destinationEntity="Team" inverseName="club" \
                inverseEntity="Team"/></entity>
                <entity name="Team"><attribute name="code" optional="YES" attributeType="String"/>
                <attribute name="title" optional="YES" attributeType="String"/>
                <attribute name="size" optional="YES" attributeType="Integer 32" defaultValueString="5"/>
                <relationship name="club" optional="YES" maxCount="1" destinationEntity="Club" inverseName="teams" \
                inverseEntity="Club"/>
                <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" \
                inverseName="team" inverseEntity="Person"/></entity>
                <entity name="Boss"><attribute name="name" attributeType="String"/>
                <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" \
                inverseName="boss" inverseEntity="Person"/></entity>
                <entity name="Person"><attribute name="number" optional="YES" attributeType="Integer 32"/>
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="people" \
                inverseEntity="Team"/>
                <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Boss" inverseName="people" \
                inverseEntity="Boss"/></entity>
                """
            let hasClub = Bool.random(using: &random)
            let boss = pick(["skip", "create"])
            let teamKey = pick(["key: code", "key: code", "# no key"])
            var objects = [
                """
                      - id: person
                        entity: Person
                        \(pick(["key: number", "# no key"]))
                        onMatch: \(rule())
                        attributes: [number, name]
                        relationships:
                          team: {object: team}
                          boss: {by: name, from: boss, onMissing: \(boss)}

                """,
                """
                      - id: team
                        entity: Team
                        \(teamKey)
                        onMatch: \(rule())
                        attributes: {code: team, title: title, size: size}
                        \(hasClub ? "relationships: {club: {object: club}}" : "# no club")

                """,
            ]
            if hasClub {
                objects.append(
                    """
                          - id: club
                            entity: Club
                            \(pick(["key: code", "key: code", "# no key"]))
                            onMatch: \(rule())
                            attributes: {code: club, motto: motto}

                    """)
            }
            let people = "  - files: people*.csv\n    objects:\n" + objects.shuffled(using: &random).joined()
            let alone = """
                  - files: teams.csv
                    entity: Team
                    \(teamKey)
                    onMatch: \(rule())
                    attributes: {code: team, title: title, size: size}

                """
            mapping = "import: 1\nsources:\n" + [people, alone].shuffled(using: &random).joined()
            func maybe(_ value: String) -> String { Int.random(in: 0..<5, using: &random) == 0 ? "" : value }
            func number(below limit: Int) -> String { "\(Int.random(in: 0..<limit, using: &random))" }
            let codes = [2, 5, 40].randomElement(using: &random) ?? 2
            for _ in 0..<Int.random(in: 0..<50, using: &random) {
                let fields = [
                    maybe(number(below: 60)), "n" + number(below: 4), maybe("t" + number(below: codes)),
                    maybe("T" + number(below: 2)), number(below: 20) == "0" ? "large" : maybe(number(below: 2)),
                    maybe("c" + number(below: 3)), "m" + number(below: 2), maybe("b" + number(below: 3)),
                ]
                text += fields.joined(separator: ",") + "\n"
            }
            for _ in 0..<Int.random(in: 0..<8, using: &random) {
                teams += "t\(number(below: codes)),\(maybe("T2")),\(maybe(number(below: 2)))\n"
            }
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1 << 14])
    func recordsThatMakeSeveralObjectsAreAssembled(recentRows: Int) throws {
        var unchanged: Int64 = 0
        for seed in RandomNumbers.seeds(60) {
            var random = RandomNumbers(seed: UInt64(recentRows * 1000 + seed))
            let scenario = RecordOfSeveral(&random)
            var options = Self.limits(&random)
            options.fixedLimits.assembly.recentRows = recentRows
            let mapping = try ImportMapping(yaml: scenario.mapping)
            func store(_ writer: NewStoreWriter) throws -> (rows: [[String]], report: ImportReport) {
                let fixture = try ImportFixture(entities: scenario.entities)
                options.writer = writer
                let files = [
                    try fixture.write(scenario.text, as: "people.csv"),
                    try fixture.write(scenario.teams, as: "teams.csv"),
                    try fixture.write(scenario.text, as: "people2.csv"),
                ]
                let report = try fixture.run(files, .mapping(mapping), options: options)
                #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
                return (
                    try ["CLUB", "TEAM", "BOSS", "PERSON"].map { try fixture.rows("SELECT * FROM Z\($0)") }, report
                )
            }
            let (assembled, written) = (try store(.builder), try store(.sqlite))
            let context = "seed \(seed)\n\(scenario.mapping)\n\(scenario.text)\n\(options)"
            try #require(assembled.report.isAssembled, "\(context)")
            // Where somebody changes an object between two records that say the same, how often depends on the batch.
            try #require(assembled.rows == written.rows, "\(context)")
            #expect(assembled.report.entities == written.report.entities, "\(context)")
            #expect(assembled.report.rejected == written.report.rejected, "\(context)")
            unchanged += assembled.report.entities.map(\.unchanged).reduce(0, +)
        }
        #expect(unchanged > 0)
    }

    @Test func recordsThatMayBeRejectedLateAndMakeSeveralObjectsAreAssembled() throws {
        let mapping = """
            sources:
              - files: people.csv
                objects:
                  - id: person
                    entity: Person
                    key: number
                    attributes: [number, name]
                    relationships: {team: {object: team}, boss: {by: number, from: boss, onMissing: error}}
                  - id: team
                    entity: Team
                    key: code
                    attributes: {code: team}
            """
        let fixture = try ImportFixture(entities: Self.entities(isUnique: false, isNameOptional: false))
        let report = try fixture.run(
            "number,name,team,boss\n1,a,t,\n2,b,u,1\n3,c,v,9\n", as: "people.csv", mapping: mapping)
        #expect(report.isAssembled)
        #expect(report.rejected == 1)
        #expect(try fixture.rows("SELECT ZCODE FROM ZTEAM ORDER BY 1") == ["t", "u"])
    }
}
