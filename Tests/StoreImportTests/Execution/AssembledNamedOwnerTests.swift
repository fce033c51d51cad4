import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store of a one-to-many relationship that several mappings set, from both sides, of records
/// that have owners among their objects and create others by naming them: assembled and written by SQLite, both are what
/// a plain model has that takes one record after the other.
@Suite struct AssembledNamedOwnerTests {
    private struct Team {
        let code: Int
        let members: [Int]?
    }

    private struct Record {
        let source: String
        var serial: Int?
        /// The team of the person; nil if the record does not mention it, nil in that for null.
        var team: Int??
        /// By field, the teams that the record has among its objects.
        var teams: [String: Team] = [:]

        var line: String {
            var fields: [String] = []
            if let serial { fields.append("\"serial\": \(serial)") }
            if let team { fields.append("\"team\": \(team.map { "\($0)" } ?? "null")") }
            for (name, team) in teams.sorted(by: { $0.key < $1.key }) {
                let members = team.members.map { ", \"members\": \($0)" } ?? ""
                let own = "\"code\": \(team.code)\(members)"
                fields.append(name.isEmpty ? own : "\"\(name)\": {\(own)}")
            }
            return "{" + fields.joined(separator: ", ") + "}\n"
        }
    }

    private struct Scenario: RandomImport {
        let isOrdered: Bool
        let adds: Bool
        let areTeamsSkipped: Bool
        /// The objects of a mixed record, in the order of the mapping: a person, and teams by their fields.
        let objects: [String]
        let sources: [String]
        var records: [Record] = []
        var files: [(name: String, text: String)] = []

        var entities: String {
            """
            <entity name="Person"><attribute name="serial" optional="YES" attributeType="Integer 32"/>
            <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="members" \
            inverseEntity="Team"/></entity>
            <entity name="Team"><attribute name="code" optional="YES" attributeType="Integer 32"/>
            <relationship name="members" optional="YES" toMany="YES"\(isOrdered ? " ordered=\"YES\"" : "") \
            destinationEntity="Person" inverseName="team" inverseEntity="Person"/></entity>
            """
        }

        var mapping: String {
            let list = "members: {by: serial, from: 'members[*]', add: \(adds)}"
            let rule = areTeamsSkipped ? "skip" : "update"
            let person = "team: {by: code, from: team, onMissing: create}"
            var text = "import: 1\nsources:\n"
            for source in sources {
                switch source {
                case "mixed":
                    text += "  - files: mixed*.json\n    objects:\n"
                    for object in objects {
                        text +=
                            object == "person"
                            ? "      - {entity: Person, key: serial, attributes: [serial], relationships: {\(person)}}\n"
                            : "      - {entity: Team, each: \(object), key: code, onMatch: \(rule), attributes: [code], "
                                + "relationships: {\(list)}}\n"
                    }
                case "team":
                    text += """
                          - files: team*.json
                            entity: Team
                            key: code
                            onMatch: \(rule)
                            attributes: [code]
                            relationships: {\(list)}

                        """
                default:
                    text += """
                          - files: person*.json
                            entity: Person
                            key: serial
                            attributes: [serial]
                            relationships: {\(person)}

                        """
                }
            }
            return text
        }

        init(_ random: inout RandomNumbers) {
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            isOrdered = Bool.random(using: &random)
            adds = !isOrdered && Bool.random(using: &random)
            areTeamsSkipped = number(below: 4) == 0
            objects = (["person", "one"] + (Bool.random(using: &random) ? ["two"] : [])).shuffled(using: &random)
            sources = (["mixed"] + ["team", "person"].filter { _ in number(below: 3) > 0 }).shuffled(using: &random)
            let teams = number(below: 3) + 2
            func team() -> Team {
                let members = Array(Array(0..<8).shuffled(using: &random).prefix(number(below: 4)))
                return Team(code: number(below: teams), members: number(below: 4) == 0 ? nil : members)
            }
            for source in sources {
                for part in 0..<number(below: 2) + 1 {
                    var text = ""
                    for _ in 0..<number(below: 9) {
                        var record = Record(source: source)
                        if source != "team" {
                            record.serial = number(below: 8)
                            switch number(below: 8) {
                            case 0: break
                            case 1: record.team = .some(nil)
                            default: record.team = .some(number(below: teams))
                            }
                        }
                        if source == "team" { record.teams[""] = team() }
                        if source == "mixed" {
                            for object in objects where object != "person" && number(below: 4) > 0 {
                                let made = team()
                                // A record has one list of a team.
                                let isTwice = record.teams.values.contains { $0.code == made.code }
                                record.teams[object] =
                                    isTwice ? Team(code: made.code, members: nil) : made
                            }
                        }
                        records.append(record)
                        text += record.line
                    }
                    files.append(("\(source)\(part).json", text))
                }
            }
        }
    }

    /// What the records come to, read one after the other.
    private struct Plain {
        private(set) var teams: Set<Int> = []
        private(set) var people: [Int] = []
        private var owners: [Int: Int] = [:]

        init(_ scenario: Scenario) {
            let all = Set(scenario.records.compactMap(\.serial))
            for record in scenario.records {
                let objects =
                    switch record.source {
                    case "mixed": scenario.objects
                    case "team": [""]
                    default: ["person"]
                    }
                var new: Set<String> = []
                for object in objects {
                    if object == "person", let serial = record.serial {
                        if let team = record.team, let team { teams.insert(team) }
                        if !people.contains(serial) { people.append(serial) }
                    } else if let team = record.teams[object], teams.insert(team.code).inserted {
                        new.insert(object)
                    }
                }
                // A list ends links that earlier records have set.
                for object in objects where !scenario.adds && !new.contains(object) && !scenario.areTeamsSkipped {
                    guard let team = record.teams[object], team.members != nil else { continue }
                    for (person, owner) in owners where owner == team.code { owners[person] = nil }
                }
                for object in objects {
                    if object == "person", let serial = record.serial {
                        if let team = record.team { owners[serial] = team }
                    } else if let team = record.teams[object], let members = team.members {
                        if !new.contains(object), scenario.areTeamsSkipped { continue }
                        for member in members where all.contains(member) { owners[member] = team.code }
                    }
                }
            }
        }

        var rows: [String] { people.map { "\($0)|\(owners[$0].map { "\($0)" } ?? "NULL")" }.sorted() }
    }

    private static let query =
        "SELECT p.ZSERIAL, t.ZCODE FROM ZPERSON p LEFT JOIN ZTEAM t ON t.Z_PK = p.ZTEAM"
    /// The people of each team, in their order.
    private static let members =
        "SELECT t.ZCODE, p.ZSERIAL FROM ZPERSON p JOIN ZTEAM t ON t.Z_PK = p.ZTEAM ORDER BY t.ZCODE, p.Z_FOK_TEAM"

    @Test(arguments: [1, 2, 3, 7, 1000])
    func recordsNameOwnersAndHaveThem(size: Int) throws {
        try Scenario.forEachCase(60, size: size, assembledTenths: 10) { random in
            let scenario = random.scenario
            random.options.fixedLimits.assembly.partnerPages = 1
            let plain = Plain(scenario)
            let context = random.context
            func report(_ writer: NewStoreWriter) throws -> (report: ImportReport, members: [String]) {
                let fixture = try ImportFixture(entities: scenario.entities)
                random.options.writer = writer
                let report = try scenario.run(random.options, in: fixture, isJudged: random.isJudged)
                try fixture.requireRows(Self.query, plain.rows, "\(writer) \(context)")
                try fixture.requireRows(
                    "SELECT ZCODE FROM ZTEAM", plain.teams.map { "\($0)" }.sorted(), "\(writer) \(context)")
                return (report, scenario.isOrdered ? try fixture.rows(Self.members) : [])
            }
            let (found, expected) = (try report(.auto), try report(.sqlite))
            #expect(found.members == expected.members, "\(context)")
            for (one, other) in zip(found.report.entities, expected.report.entities) {
                #expect([one.inserted, one.skipped] == [other.inserted, other.skipped], "\(one) \(context)")
            }
            #expect(found.report.unresolvedLinks == expected.report.unresolvedLinks, "\(context)")
            return found.report
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
