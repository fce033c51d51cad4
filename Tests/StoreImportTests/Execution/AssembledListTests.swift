import PersistentStores
import SQLiteAccess
import StoreAssembly
import TestSupport
import Testing

@testable import StoreImport

/// Lists of links into a new store, once assembled and once written by SQLite: both stores say the same.
@Suite struct AssembledListTests {
    private static let entities = """
        <entity name="Person"><attribute name="number" optional="YES" attributeType="Integer 32"/>
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="people" \
        inverseEntity="Team"/>
        <relationship name="projects" optional="YES" toMany="YES" destinationEntity="Project" inverseName="people" \
        inverseEntity="Person"/></entity>
        <entity name="Project"><attribute name="code" optional="YES" attributeType="String"/>
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="projects" \
        inverseEntity="Project"/></entity>
        <entity name="Team"><attribute name="code" optional="YES" attributeType="String"/>
        <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" \
        inverseEntity="Person"/></entity>
        """

    /// Records of people and projects, in any order; lists are of either side.
    private struct Scenario {
        var mapping = "import: 1\nsources:\n"
        var peopleFirst = false
        var people = ""
        var projects = ""

        init(_ random: inout RandomNumbers) {
            func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
            func number(below limit: Int) -> String { "\(Int.random(in: 0..<limit, using: &random))" }
            let isOfPeople = Bool.random(using: &random)
            peopleFirst = Bool.random(using: &random)
            let match = pick(["update", "skip"])
            // What later files have is not made because somebody names it, and records that are skipped make nothing.
            let missing = isOfPeople == peopleFirst || match == "skip" ? "skip" : pick(["skip", "create"])
            let by = isOfPeople ? "projects: {by: code" : "people: {by: number"
            let from = isOfPeople ? "projects" : "people"
            let list = "\(by), from: '\(from)[*]', add: \(Bool.random(using: &random)), onMissing: \(missing)}"
            let team = "team: {by: code, from: team, onMissing: \(pick(["skip", "create"]))}"
            let peopleSource = """
                  - files: people.json
                    entity: Person
                    \(pick(["key: number", "key: number", isOfPeople ? "# no key" : "key: number"]))
                    onMatch: \(match)
                    attributes: [number, name]
                    relationships: {\(team)\(isOfPeople ? ", \(list)" : "")}

                """
            let projectSource = """
                  - files: projects.json
                    entity: Project
                    key: code
                    onMatch: \(match)
                    attributes: [code, title]
                    \(isOfPeople ? "# no list" : "relationships: {\(list)}")

                """
            mapping += peopleFirst ? peopleSource + projectSource : projectSource + peopleSource
            let numbers = [6, 30].randomElement(using: &random) ?? 6
            func links(_ value: () -> String) -> String {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: ""
                case 1: ", \"\(from)\": []"
                default:
                    ", \"\(from)\": ["
                        + (0..<Int.random(in: 1..<6, using: &random)).map { _ in value() }.joined(separator: ", ")
                        + "]"
                }
            }
            for _ in 0..<Int.random(in: 0..<40, using: &random) {
                people += "{\"number\": \(number(below: numbers)), \"name\": \"n\(number(below: 2))\""
                people += pick(["", ", \"team\": \"t\(number(below: 3))\""])
                if isOfPeople { people += links { "\"c\(number(below: 9))\"" } }
                people += "}\n"
            }
            for _ in 0..<Int.random(in: 0..<20, using: &random) {
                projects += "{\"code\": \"c\(number(below: 7))\", \"title\": \"t\(number(below: 2))\""
                if !isOfPeople { projects += links { number(below: numbers + 3) } }
                projects += "}\n"
            }
        }
    }

    private static func options(_ size: Int, _ random: inout RandomNumbers) -> ImportOptions {
        var options = ImportOptions(
            limits: RecordBatch.Limits(rows: [1, 2, 3, 7, 100].randomElement(using: &random) ?? 1))
        options.fixedLimits.assembly.keysInMemory = size
        options.fixedLimits.assembly.entriesPerPart = size
        options.fixedLimits.assembly.sortMemory = size * 40
        options.fixedLimits.assembly.linksInOrder = [1, 2, 3, 1000].randomElement(using: &random) ?? 1
        options.fixedLimits.assembly.packedArrivals = Bool.random(using: &random) ? 1 << 31 : Int64(size)
        options.fixedLimits.cachedObjects = [0, 1, 3, 20_000].randomElement(using: &random) ?? 0
        return options
    }

    private static let queries = [
        "SELECT ZNUMBER, ZNAME, ZTEAM IS NULL, Z_OPT FROM ZPERSON ORDER BY 1, 2, 3, 4",
        "SELECT ZCODE, ZTITLE FROM ZPROJECT ORDER BY 1",
        """
        SELECT p.ZNUMBER, p.ZNAME, j.ZCODE, count(*) FROM Z_1PROJECTS AS l JOIN ZPERSON AS p ON p.Z_PK = l.Z_1PEOPLE \
        JOIN ZPROJECT AS j ON j.Z_PK = l.Z_2PROJECTS GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        """,
        "SELECT count(*), count(DISTINCT Z_1PEOPLE * 1000 + Z_2PROJECTS) FROM Z_1PROJECTS",
    ]

    @Test(arguments: [1, 2, 3, 7, 1000])
    func listsAreThoseThatSQLiteWrites(size: Int) throws {
        var links = 0
        let seeds = RandomNumbers.seeds(80)
        for seed in seeds {
            var random = RandomNumbers(seed: UInt64(size * 1000 + seed))
            let scenario = Scenario(&random)
            var options = Self.options(size, &random)
            let mapping = try ImportMapping(yaml: scenario.mapping)
            func store(_ writer: NewStoreWriter) throws -> (rows: [[String]], report: ImportReport) {
                let fixture = try ImportFixture(entities: Self.entities)
                options.writer = writer
                let files = [
                    try fixture.write(scenario.people, as: "people.json"),
                    try fixture.write(scenario.projects, as: "projects.json"),
                ]
                let report = try fixture.run(
                    scenario.peopleFirst ? files : files.reversed(), .mapping(mapping), options: options)
                #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
                return (try Self.queries.map { try fixture.rows($0) }, report)
            }
            let (assembled, written) = (try store(.builder), try store(.sqlite))
            let context = "seed \(seed)\n\(scenario.mapping)\n\(scenario.people)\n\(scenario.projects)\n\(options)"
            try #require(assembled.rows == written.rows, "\(context)")
            #expect(assembled.report.entities.map(\.inserted) == written.report.entities.map(\.inserted), "\(context)")
            #expect(assembled.report.entities.map(\.related) == written.report.entities.map(\.related), "\(context)")
            #expect(
                assembled.report.entities.map(\.unrelated) == written.report.entities.map(\.unrelated), "\(context)")
            #expect(assembled.report.unresolvedLinks == written.report.unresolvedLinks, "\(context)")
            #expect(assembled.report.rejected == written.report.rejected, "\(context)")
            links += assembled.rows[2].count
        }
        #expect(links > seeds.count * 4)
    }
}
