import ImportTestSupport
import PersistentStores
import StoreImport
import TestSupport
import Testing

@testable import ImportMappings

/// Random imports in which objects are named whose own records are rejected when all records are read: assembled or
/// written by SQLite, they are what a plain model has that takes the other records one after the other.
@Suite struct RevokedDestinationTests {
    private struct Record: NumberRecord {
        let place: String
        var fields: [(name: String, value: Int?)]
    }

    private struct Scenario: RandomImport {
        let isRequired: Bool
        let onMatch: String
        let onMissing: String
        var mapping = "import: 1\nsources:\n"
        var files: [(name: String, text: String)] = []
        var people: [Record] = []
        /// The teams that have records, and whether these are rejected because they have too many sponsors.
        var teams: [(code: Int, isRejected: Bool, place: String)] = []

        var entities: String {
            """
            <entity name="Person"><attribute name="serial" optional="YES" attributeType="Integer 32"/>
            <relationship name="team"\(isRequired ? "" : " optional=\"YES\"") maxCount="1" destinationEntity="Team" \
            inverseName="members" inverseEntity="Team"/></entity>
            <entity name="Sponsor"><attribute name="serial" optional="YES" attributeType="Integer 32"/>
            <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="sponsors" \
            inverseEntity="Team"/></entity>
            <entity name="Team"><attribute name="code" optional="YES" attributeType="Integer 32"/>
            <relationship name="sponsors" optional="YES" maxCount="2" toMany="YES" destinationEntity="Sponsor" \
            inverseName="team" inverseEntity="Team"/>
            <relationship name="members" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" \
            inverseEntity="Person"/></entity>
            """
        }

        init(_ random: inout RandomNumbers) {
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            isRequired = Bool.random(using: &random)
            onMatch = ["update", "update", "fill", "skip"].randomElement(using: &random) ?? "update"
            onMissing = ["create", "create", "skip", "error"].randomElement(using: &random) ?? "create"
            var sources = [
                """
                  - files: team*.json
                    entity: Team
                    key: code
                    attributes: [code]
                    relationships: {sponsors: {each: 'sponsors[*]', entity: Sponsor, key: serial, attributes: [serial]}}

                """,
                """
                  - files: person*.json
                    entity: Person
                    key: serial
                    onMatch: \(onMatch)
                    attributes: [serial]
                    relationships: {team: {by: code, from: team, onMissing: \(onMissing)}}

                """,
            ]
            var text = ""
            for (line, code) in (0..<4).shuffled(using: &random).prefix(number(below: 4) + 1).enumerated() {
                let sponsors = number(below: 4)
                teams.append((code, sponsors > 2, "team.json:\(line + 1)"))
                let serials = (0..<sponsors).map { "{\"serial\": \(code * 10 + $0)}" }.joined(separator: ", ")
                text += "{\"code\": \(code), \"sponsors\": [\(serials)]}\n"
            }
            files = [("team.json", text)]
            for part in 0..<number(below: 2) + 1 {
                var text = ""
                for line in 0..<number(below: 8) + 4 {
                    var record = Record(
                        place: "person\(part).json:\(line + 1)", fields: [("serial", number(below: 3))])
                    if number(below: 5) > 0 { record.fields.append(("team", number(below: 5))) }
                    people.append(record)
                    text += record.line
                }
                files.append(("person\(part).json", text))
            }
            if Bool.random(using: &random) {
                sources.reverse()
                files.append(files.removeFirst())
            }
            mapping += sources.joined()
        }
    }

    /// What the records come to, read one after the other, without those that cannot be.
    private struct Plain {
        private var people: [(serial: Int, team: Int?, maker: String)] = []
        private var teams: Set<Int> = []
        private(set) var rejected: Set<String> = []
        /// Records that are not rejected, and name an object whose record is.
        private(set) var naming = 0

        init(_ scenario: Scenario) {
            rejected = Set(scenario.teams.filter(\.isRejected).map(\.place))
            let known = Set(scenario.teams.filter { !$0.isRejected }.map(\.code))
            for record in scenario.people {
                guard case .some(.some(let code)) = record["team"], scenario.onMissing != "create",
                    scenario.isRequired || scenario.onMissing == "error", !known.contains(code)
                else { continue }
                rejected.insert(record.place)
            }
            repeat { read(scenario, known) } while rejectMakers(scenario)
        }

        private mutating func read(_ scenario: Scenario, _ known: Set<Int>) {
            let named = Set(scenario.teams.filter(\.isRejected).map(\.code))
            (people, teams, naming) = ([], known, 0)
            for record in scenario.people where !rejected.contains(record.place) {
                guard case .some(.some(let serial)) = record["serial"] else { continue }
                var team: Int?
                if case .some(.some(let code)) = record["team"] {
                    if scenario.onMissing == "create" { teams.insert(code) }
                    if named.contains(code) { naming += 1 }
                    if teams.contains(code) { team = code }
                }
                guard let index = people.firstIndex(where: { $0.serial == serial }) else {
                    people.append((serial, team, record.place))
                    continue
                }
                guard case .some = record["team"], scenario.onMatch != "skip" else { continue }
                if scenario.onMatch == "update" || people[index].team == nil { people[index].team = team }
            }
        }

        /// Rejects the records that create people who have no team in the end.
        private mutating func rejectMakers(_ scenario: Scenario) -> Bool {
            guard scenario.isRequired else { return false }
            let makers = people.filter { $0.team == nil }.map(\.maker)
            rejected.formUnion(makers)
            return !makers.isEmpty
        }

        var rows: [String] { people.map { "\($0.serial)|\($0.team.map { "\($0)" } ?? "NULL")" }.sorted() }
        var teamRows: [String] { teams.map { "\($0)" }.sorted() }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func namedObjectsDoNotNeedTheRecordThatIsRejected(size: Int) throws {
        var naming = 0
        try Scenario.forEachCase(100, size: size, assembledTenths: 9) { random in
            let scenario = random.scenario
            let plain = Plain(scenario)
            naming += plain.naming
            let context = "\(scenario.entities) \(random.context)"
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged,
                    isThere: random.isThere)
                try #require(rejected.sorted() == plain.rejected.sorted(), "\(writer) \(context)")
                try fixture.requireRows(
                    "SELECT p.ZSERIAL, t.ZCODE FROM ZPERSON p LEFT JOIN ZTEAM t ON t.Z_PK = p.ZTEAM", plain.rows,
                    "\(writer) \(context)")
                try fixture.requireRows("SELECT ZCODE FROM ZTEAM", plain.teamRows, "\(writer) \(context)")
                return report
            }
            let built = try report(.auto)
            // SQLite does not note what a record would have filled if an earlier one had not.
            if scenario.onMatch == "fill", plain.naming > 0 { return built }
            _ = try report(.sqlite)
            return built
        }
        #expect(TestSettings.isFast || naming > 0)
    }

    /// The record of an employee is rejected, so that a person's record creates the object to which another one leads.
    @Test(arguments: [1, 2, 1000], [NewStoreWriter.builder, .sqlite])
    func linksHaveTheEntityOfAnObjectThatAnotherRecordCreates(rows: Int, writer: NewStoreWriter) throws {
        let fixture = try ImportFixture(
            entities: """
                <entity name="Person"><attribute name="code" optional="YES" attributeType="Integer 32"/>
                <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
                inverseEntity="Person"/><relationship name="staff" optional="YES" toMany="YES" \
                destinationEntity="Person" inverseName="boss" inverseEntity="Person"/></entity>
                <entity name="Employee" parentEntity="Person"><relationship name="team" optional="YES" maxCount="1" \
                destinationEntity="Team" inverseName="employees" inverseEntity="Employee"/></entity>
                <entity name="Team"><attribute name="code" optional="YES" attributeType="Integer 32"/>
                <relationship name="employees" optional="YES" toMany="YES" destinationEntity="Employee" \
                inverseName="team" inverseEntity="Employee"/></entity>
                """)
        let mapping = """
            import: 1
            sources:
              - files: employees.json
                entity: Employee
                key: code
                attributes: [code]
                relationships: {team: {by: code, from: team, onMissing: error}}
              - files: people.json
                entity: Person
                key: code
                attributes: [code]
                relationships: {boss: {by: code, from: boss}}
              - {files: teams.json, entity: Team, key: code, attributes: [code]}

            """
        let files = [
            try fixture.write("{\"code\": 1, \"team\": 9}\n", as: "employees.json"),
            try fixture.write("{\"code\": 2, \"boss\": 1}\n{\"code\": 1}\n", as: "people.json"),
            try fixture.write("{\"code\": 1}\n", as: "teams.json"),
        ]
        let report = try fixture.run(
            files, .mapping(try ImportMapping(yaml: mapping)), options: ImportOptions(rows: rows, writer))
        #expect(report.rejected == 1)
        let query = """
            SELECT p.ZCODE, k.Z_NAME, b.ZCODE FROM ZPERSON p LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS \
            JOIN Z_PRIMARYKEY k ON k.Z_ENT = p.Z_ENT ORDER BY 1
            """
        #expect(try fixture.rows(query) == ["1|Person|NULL", "2|Person|1"])
        #expect(try fixture.faults() == [])
    }
}
