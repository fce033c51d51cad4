import ImportTestSupport
import PersistentStores
import SQLiteAccess
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Lists of links into a new store, once assembled and once written by SQLite: both stores say the same.
@Suite struct AssembledListTests {
    private static func entities(_ order: Order) -> String {
        let (projects, people) = (
            order.isOfProjects ? " ordered=\"YES\"" : "", order.isOfPeople ? " ordered=\"YES\"" : ""
        )
        return """
            <entity name="Person"><attribute name="number" optional="YES" attributeType="Integer 32"/>
            <attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="people" \
            inverseEntity="Team"/>
            <relationship name="projects" optional="YES" toMany="YES"\(projects) destinationEntity="Project" \
            inverseName="people" inverseEntity="Project"/></entity>
            <entity name="Project"><attribute name="code" optional="YES" attributeType="String"/>
            <attribute name="title" optional="YES" attributeType="String"/>
            <relationship name="people" optional="YES" toMany="YES"\(people) destinationEntity="Person" \
            inverseName="projects" inverseEntity="Person"/></entity>
            <entity name="Team"><attribute name="code" optional="YES" attributeType="String"/>
            <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" \
            inverseEntity="Person"/></entity>
            """
    }

    /// Which side of the relationship is ordered.
    private struct Order {
        var isOfProjects = false
        var isOfPeople = false
    }

    /// Records of people and projects, in any order; lists are of either side.
    private struct Scenario {
        var mapping = "import: 1\nsources:\n"
        var order = Order()
        var peopleFirst = false
        /// Whether several mappings have the list.
        var hasMore = false
        var people = ""
        var projects = ""
        var more = ""

        init(_ random: inout RandomNumbers) {
            func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
            func number(below limit: Int) -> String { "\(Int.random(in: 0..<limit, using: &random))" }
            let isOfPeople = Bool.random(using: &random)
            peopleFirst = Bool.random(using: &random)
            order = Order(
                isOfProjects: Bool.random(using: &random), isOfPeople: Bool.random(using: &random))
            let isRequired = Int.random(in: 0..<4, using: &random) == 0
            let match = pick(["update", "skip", "fill"])
            let missing = isRequired ? "error" : pick(["skip", "create"])
            let by = isOfPeople ? "projects: {by: code" : "people: {by: number"
            let from = isOfPeople ? "projects" : "people"
            let list = "\(by), from: '\(from)[*]', add: \(Bool.random(using: &random)), onMissing: \(missing)}"
            let team = "team: {by: code, from: team, onMissing: \(isRequired ? "skip" : pick(["skip", "create"]))}"
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
            hasMore = isOfPeople && Bool.random(using: &random)
            let moreSource =
                hasMore
                ? peopleSource.replacing("people.json", with: "more.json").replacing("[number, name]", with: "[number]")
                : ""
            mapping +=
                peopleFirst
                ? peopleSource + moreSource + projectSource : projectSource + peopleSource + moreSource
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
            for _ in 0..<(hasMore ? Int.random(in: 0..<20, using: &random) : 0) {
                more += "{\"number\": \(number(below: numbers))" + links { "\"c\(number(below: 9))\"" } + "}\n"
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
        options.fixedLimits.assembly.waitingEntries = size
        options.fixedLimits.assembly.sortMemory = size * 40
        options.fixedLimits.assembly.linksInOrder = [1, 2, 3, 1000].randomElement(using: &random) ?? 1
        options.fixedLimits.assembly.searchedLinks = Int.random(in: 0...3, using: &random)
        options.fixedLimits.assembly.packedArrivals = Bool.random(using: &random) ? 1 << 31 : Int64(size)
        options.fixedLimits.cachedObjects = [0, 1, 3, 20_000].randomElement(using: &random) ?? 0
        return options
    }

    private static func queries(_ scenario: Scenario) -> [String] {
        var queries = Self.contents
        // In which order a list's objects come that is ordered on the other side, nothing says for several lists.
        let isOfPeople = scenario.mapping.contains("projects: {")
        // Nor where objects come whose first record is taken back.
        let hasSeveral = scenario.hasMore || scenario.mapping.contains("onMissing: error")
        if scenario.order.isOfProjects, isOfPeople || !hasSeveral {
            queries.append(
                """
                SELECT p.ZNUMBER, p.Z_PK IS NULL, group_concat(j.ZCODE) FROM (SELECT * FROM Z_1PROJECTS ORDER BY Z_1PEOPLE, \
                Z_FOK_2PROJECTS) l JOIN ZPERSON p ON p.Z_PK = l.Z_1PEOPLE JOIN ZPROJECT j ON j.Z_PK = l.Z_2PROJECTS \
                GROUP BY p.Z_PK ORDER BY p.ZNUMBER, p.Z_PK
                """)
            queries.append("SELECT count(*) FROM Z_1PROJECTS GROUP BY Z_1PEOPLE, Z_FOK_2PROJECTS HAVING count(*) > 1")
        }
        if scenario.order.isOfPeople, !isOfPeople || !hasSeveral {
            queries.append(
                """
                SELECT j.ZCODE, group_concat(p.ZNUMBER) FROM (SELECT * FROM Z_1PROJECTS ORDER BY Z_2PROJECTS, \
                Z_FOK_1PEOPLE) l JOIN ZPERSON p ON p.Z_PK = l.Z_1PEOPLE JOIN ZPROJECT j ON j.Z_PK = l.Z_2PROJECTS \
                GROUP BY j.Z_PK ORDER BY j.ZCODE, j.Z_PK
                """)
            queries.append("SELECT count(*) FROM Z_1PROJECTS GROUP BY Z_2PROJECTS, Z_FOK_1PEOPLE HAVING count(*) > 1")
        }
        return queries
    }

    private static let contents = [
        "SELECT ZNUMBER, ZNAME, ZTEAM IS NULL FROM ZPERSON ORDER BY 1, 2, 3",
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
                let fixture = try ImportFixture(entities: Self.entities(scenario.order))
                options.writer = writer
                var files = [
                    try fixture.write(scenario.people, as: "people.json"),
                    try fixture.write(scenario.projects, as: "projects.json"),
                ]
                if scenario.hasMore { files.append(try fixture.write(scenario.more, as: "more.json")) }
                let report = try fixture.run(
                    scenario.peopleFirst ? files : files.reversed(), .mapping(mapping), options: options)
                #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
                return (try Self.queries(scenario).map { try fixture.rows($0) }, report)
            }
            let (assembled, written) = (try store(.builder), try store(.sqlite))
            let context =
                "seed \(seed)\n\(scenario.mapping)\n\(scenario.people)\n\(scenario.projects)\n\(scenario.more)\n\(options)"
            try #require(assembled.rows == written.rows, "\(context)")
            #expect(assembled.report.entities.map(\.inserted) == written.report.entities.map(\.inserted), "\(context)")
            #expect(assembled.report.entities.map(\.related) == written.report.entities.map(\.related), "\(context)")
            #expect(
                assembled.report.entities.map(\.unrelated) == written.report.entities.map(\.unrelated), "\(context)")
            #expect(assembled.report.unresolvedLinks == written.report.unresolvedLinks, "\(context)")
            #expect(assembled.report.rejected == written.report.rejected, "\(context)")
            links += assembled.rows[2].count
        }
        #expect(links > seeds.count * 2)
    }

    // MARK: - Lists in one column

    private static let people = "number,name\n1,a\n2,b\n3,c\n12,d\n"
    private static let listMapping = """
        import: 1
        sources:
          - {files: people.csv, entity: Person, key: number, attributes: [number, name]}
          - files: 'projects.*'
            entity: Project
            key: code
            attributes: [code]
            relationships:
              people: {by: number, from: people, separator: '%'}

        """

    private static func links(_ fixture: ImportFixture) throws -> [String] {
        try fixture.rows(
            "SELECT j.ZCODE, p.ZNUMBER FROM Z_1PROJECTS l JOIN ZPERSON p ON p.Z_PK = l.Z_1PEOPLE "
                + "JOIN ZPROJECT j ON j.Z_PK = l.Z_2PROJECTS ORDER BY 1, 2")
    }

    /// Empty parts, NULL tokens, white space, and one part or many.
    @Test(arguments: [";", "||", "; "], [NewStoreWriter.builder, .sqlite])
    func partsOfATextNameObjects(_ separator: String, _ writer: NewStoreWriter) throws {
        let fixture = try ImportFixture(entities: Self.entities(Order()))
        let lists = [["1", "2"], ["3"], [], ["2", "", " 12", ""], ["\\N", "1"], ["1", "1"], ["", "3"]]
        var text = "code,people\n"
        for (index, list) in lists.enumerated() { text += "c\(index),\"\(list.joined(separator: separator))\"\n" }
        var options = ImportOptions(limits: RecordBatch.Limits(rows: 3))
        options.writer = writer
        let mapping = Self.listMapping.replacing("%", with: separator)
        try fixture.run(
            [fixture.write(Self.people, as: "people.csv"), fixture.write(text, as: "projects.csv")],
            .mapping(ImportMapping(yaml: mapping)), options: options)
        let expected = ["c0|1", "c0|2", "c1|3", "c3|2", "c3|12", "c4|1", "c5|1", "c6|3"]
        #expect(try Self.links(fixture) == expected)
    }

    /// Texts are taken as they stand, unless their own settings say otherwise.
    @Test(arguments: [NewStoreWriter.builder, .sqlite])
    func partsOfATextNameObjectsByText(_ writer: NewStoreWriter) throws {
        let fixture = try ImportFixture(entities: Self.entities(Order()))
        let mapping = """
            import: 1
            sources:
              - {files: projects.csv, entity: Project, key: code, attributes: [code]}
              - files: people.csv
                entity: Person
                key: number
                attributes: [number]
                relationships:
                  projects: {by: code, from: projects, separator: '|'}

            """
        var options = ImportOptions(limits: RecordBatch.Limits(rows: 2))
        options.writer = writer
        try fixture.run(
            [
                fixture.write("code\nx\n y\nlonger than eight\n\"N\"\n", as: "projects.csv"),
                fixture.write(
                    "number,projects\n1,x| y\n2,x |y\n3,longer than eight|\n4,|\n5,\\N|N\n6,x|x|longer than eigh\n",
                    as: "people.csv"),
            ], .mapping(ImportMapping(yaml: mapping)), options: options)
        #expect(
            try Self.links(fixture) == [" y|1", "N|5", "longer than eight|3", "x|1", "x|6"])
    }

    /// A number of a database is one key.
    @Test(arguments: [NewStoreWriter.builder, .sqlite])
    func aNumberIsNotDivided(_ writer: NewStoreWriter) throws {
        let fixture = try ImportFixture(entities: Self.entities(Order()))
        let path = fixture.directory.file("projects.db")
        let source = try Connection(path: path, access: .create)
        try source.execute(
            "CREATE TABLE projects (code, people); INSERT INTO projects VALUES ('c0', 12), ('c1', '1;3'), ('c2', NULL)")
        try source.close()
        var options = ImportOptions()
        options.writer = writer
        let mapping = Self.listMapping.replacing("%", with: ";").replacing(
            "files: 'projects.*'", with: "files: projects.db\n    table: projects")
        try fixture.run(
            [fixture.write(Self.people, as: "people.csv"), path], .mapping(ImportMapping(yaml: mapping)),
            options: options)
        #expect(try Self.links(fixture) == ["c0|12", "c1|1", "c1|3"])
    }

    // MARK: - Relationships that are their own inverse

    @Test(arguments: [1, 2, 3, 7, 1000])
    func linksOfARelationshipThatIsItsOwnInverseAreThoseThatSQLiteWrites(size: Int) throws {
        let entities = """
            <entity name="Person"><attribute name="number" optional="YES" attributeType="Integer 32"/>
            <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Person" inverseName="friends" \
            inverseEntity="Person"/></entity>
            """
        for seed in RandomNumbers.seeds(40) {
            var random = RandomNumbers(seed: UInt64(size * 1000 + seed))
            let rule = Bool.random(using: &random) ? "update" : "skip"
            let mapping = try ImportMapping(
                yaml: """
                    import: 1
                    sources:
                      - files: people.json
                        entity: Person
                        key: number
                        onMatch: \(rule)
                        attributes: [number]
                        relationships:
                          friends: {by: number, from: 'friends[*]', add: \(Bool.random(using: &random))}
                    """)
            var text = ""
            for _ in 0..<Int.random(in: 0..<30, using: &random) {
                let friends = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                    "\(Int.random(in: 0..<12, using: &random))"
                }
                let list =
                    Int.random(in: 0..<5, using: &random) == 0
                    ? "" : ", \"friends\": [\(friends.joined(separator: ","))]"
                text += "{\"number\": \(Int.random(in: 0..<10, using: &random))\(list)}\n"
            }
            var options = Self.options(size, &random)
            func store(_ writer: NewStoreWriter) throws -> (rows: [String], report: ImportReport) {
                let fixture = try ImportFixture(entities: entities)
                options.writer = writer
                let report = try fixture.run(
                    [try fixture.write(text, as: "people.json")], .mapping(mapping), options: options)
                #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
                let links =
                    "SELECT a.ZNUMBER, b.ZNUMBER FROM Z_1FRIENDS l JOIN ZPERSON a ON a.Z_PK = l.Z_1FRIENDS "
                    + "JOIN ZPERSON b ON b.Z_PK = l.REFLEXIVE ORDER BY 1, 2"
                return (try fixture.rows(links), report)
            }
            let (assembled, written) = (try store(.builder), try store(.sqlite))
            let context = "seed \(seed)\n\(mapping)\n\(text)\n\(options)"
            try #require(assembled.rows == written.rows, "\(context)")
            #expect(assembled.report.entities == written.report.entities, "\(context)")
            #expect(assembled.report.unresolvedLinks == written.report.unresolvedLinks, "\(context)")
        }
    }
}
