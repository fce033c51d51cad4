import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store of a one-to-many relationship that several mappings say: the to-one, and lists of
/// objects by key or in place. Assembled and written by SQLite, both are what a plain model has that takes one record after
/// the other, whatever the batches are. So is the store after the same records come again.
@Suite struct AssembledBothSidesTests {
    /// How a mapping has lists.
    private struct Rule {
        let isInPlace: Bool
        let adds: Bool
        let match: String
        /// Whether a column orders the links that are added.
        let isRanked: Bool
        /// Whether teams name others that are created where they are not there.
        let hasParents: Bool
    }

    /// What a record of a team says.
    private struct Team {
        let code: Int
        let rule: Rule
        /// The persons in its list; nil where it does not mention them.
        var members: [Int]?
        /// The value that orders them, and another team; nil where the record does not mention them.
        var rank: Int?
        var parent: Int?

        var line: String {
            var fields = ["\"code\": \(code)"]
            if let members {
                let texts = members.map { rule.isInPlace ? "{\"serial\": \($0)}" : "\($0)" }
                fields.append("\"members\": [\(texts.joined(separator: ", "))]")
            }
            if let rank { fields.append("\"rank\": \(rank)") }
            if let parent { fields.append("\"parent\": \(parent)") }
            return "{\(fields.joined(separator: ", "))}\n"
        }
    }

    private enum Record {
        case team(Team)
        /// A person, and its team: nil where it does not mention it, nil in that for a null.
        case person(serial: Int, team: Int??)

        var line: String {
            switch self {
            case .team(let team): return team.line
            case .person(let serial, let team):
                let text = team.map { ", \"team\": \($0.map { "\($0)" } ?? "null")" } ?? ""
                return "{\"serial\": \(serial)\(text)}\n"
            }
        }
    }

    private struct Scenario: RandomImport {
        let isOrdered: Bool
        let peopleMatch: String
        /// Whether some records fill only what is empty.
        var fills = false
        /// Whether records of people make their teams, too.
        let isTeamInPlace: Bool
        /// Whether records of people are rejected whose team is nowhere.
        let isTeamRequired: Bool
        var mapping = "import: 1\nsources:\n"
        var records: [Record] = []
        var files: [(name: String, text: String)] = []

        var entities: String {
            """
            <entity name="Team"><attribute name="code" optional="YES" attributeType="Integer 32"/>
            <relationship name="parent" optional="YES" maxCount="1" destinationEntity="Team" inverseName="parts" \
            inverseEntity="Team"/>
            <relationship name="parts" optional="YES" toMany="YES" destinationEntity="Team" inverseName="parent" \
            inverseEntity="Team"/>
            <relationship name="members" optional="YES" toMany="YES"\(isOrdered ? " ordered=\"YES\"" : "") \
            destinationEntity="Person" inverseName="team" inverseEntity="Person"/></entity>
            <entity name="Person"><attribute name="serial" optional="YES" attributeType="Integer 32"/>
            <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="members" \
            inverseEntity="Team"/></entity>
            """
        }

        init(_ random: inout RandomNumbers) {
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            isOrdered = Bool.random(using: &random)
            peopleMatch = ["skip", "update", "update", "fill"].randomElement(using: &random) ?? "skip"
            isTeamInPlace = number(below: 3) == 0
            isTeamRequired = !isTeamInPlace && peopleMatch == "update" && number(below: 3) == 0
            let peopleInPlace = """
                    objects:
                      - entity: Person
                        key: serial
                        onMatch: \(peopleMatch)
                        attributes: [serial]
                        relationships: {team: {object: team}}
                      - id: team
                        entity: Team
                        key: code
                        onMatch: \(number(below: 4) == 0 ? "skip" : "update")
                        attributes: {code: team}

                """
            let people =
                isTeamInPlace
                ? peopleInPlace
                : """
                    entity: Person
                    key: serial
                    onMatch: \(peopleMatch)
                    attributes: [serial]
                    relationships: {team: {by: code, from: team\(isTeamRequired ? ", onMissing: error" : "")}}

                """
            func teams(_ rule: Rule) -> String {
                let team = """
                        objects:
                          - entity: Team
                            key: code
                            onMatch: \(rule.match)
                            attributes: [code]

                    """
                let parent = rule.hasParents ? "parent: {by: code, from: parent, onMissing: create}, " : ""
                guard rule.isInPlace else {
                    return team + "        relationships: {\(parent)members: {by: serial, from: 'members[*]', "
                        + "add: \(rule.adds)\(rule.isRanked ? ", order: rank" : "")}}\n"
                }
                return team + """
                            relationships: {\(parent)members: {object: person, add: \(rule.adds)}}
                          - id: person
                            entity: Person
                            each: members[*]
                            key: serial
                            onMatch: \(peopleMatch)
                            attributes: [serial]

                    """
            }
            let matches = ["skip", "update", "update", "fill"]
            let (adds, match) = (number(below: 3) == 0, matches.randomElement(using: &random) ?? "skip")
            let haveRules = number(below: 3) == 0
            let hasParents = match != "skip" && !haveRules && number(below: 3) == 0
            var sources = [("team", number(below: 2) == 0), ("person", false)]
            // Lists of two mappings, unless both name their objects: these are settled in another way.
            if Bool.random(using: &random) { sources.append(("more", !sources[0].1 || Bool.random(using: &random))) }
            if sources.count > 2, number(below: 3) == 0 { sources.remove(at: 1) }
            sources.shuffle(using: &random)
            for (name, isInPlace) in sources {
                let rule = Rule(
                    isInPlace: isInPlace, adds: haveRules ? Bool.random(using: &random) : adds,
                    match: haveRules ? matches.randomElement(using: &random) ?? "skip" : match,
                    isRanked: Bool.random(using: &random), hasParents: hasParents)
                if (name == "person" ? peopleMatch : rule.match) == "fill" { fills = true }
                mapping += "  - files: \(name)*.json\n" + (name == "person" ? people : teams(rule))
                for part in 0..<number(below: 2) + 1 {
                    var text = ""
                    for _ in 0..<number(below: 9) {
                        let record: Record
                        if name == "person" {
                            let team: Int?? =
                                switch isTeamInPlace ? 6 : number(below: 6) {
                                case 0: .none
                                case 1: .some(nil)
                                default: .some(number(below: 4))
                                }
                            record = .person(serial: number(below: 8), team: team)
                        } else {
                            let members = Array(0..<8).shuffled(using: &random).prefix(number(below: 4))
                            record = .team(
                                Team(
                                    code: number(below: 3), rule: rule,
                                    members: number(below: 5) == 0 ? nil : Array(members),
                                    rank: number(below: 3) == 0 ? nil : number(below: 4),
                                    parent: number(below: 3) == 0 ? number(below: 4) : nil))
                        }
                        records.append(record)
                        text += record.line
                    }
                    files.append(("\(name)\(part).json", text))
                }
            }
        }
    }

    /// What the records come to, read one after the other.
    private struct Plain {
        private var teams: [Int] = []
        private var people: [Int] = []
        /// By person, its team, and its place there: by import, those of lists by the record's value, by
        /// record and place in it, then those that lead there themselves.
        private var owners: [Int: (team: Int, place: [Int])] = [:]
        /// By person and team, the first record of the person that names the team.
        private var firsts: [[Int]: Int] = [:]
        private(set) var rejected: Int64 = 0
        private var pass = 0
        /// What the to-one of a person, the list of a team, and a record that would fill it name and is nowhere.
        private var lost: [Int: Int] = [:]
        private var parents: [Int: Int] = [:]
        private var absent: [Int: Int] = [:]
        private var unfilled: [Int: Int] = [:]
        var unresolved: Int { [lost, absent, unfilled].map { $0.values.reduce(0, +) }.reduce(0, +) }

        init(_ scenario: Scenario) { take(scenario) }

        /// Imports the records, once more if they are there.
        mutating func take(_ scenario: Scenario) {
            pass += 1
            (firsts, rejected) = ([:], 0)
            (lost, absent, unfilled) = ([:], [:], [:])
            let allTeams = Set(
                scenario.records.compactMap { (record) -> Int? in
                    switch record {
                    case .team(let team): team.code
                    case .person(_, let team): scenario.isTeamInPlace ? team ?? nil : nil
                    }
                }
            ).union(
                scenario.records.compactMap { (record) -> Int? in
                    if case .team(let team) = record, team.rule.hasParents { team.parent } else { nil }
                })
            func isRejected(_ team: Int??) -> Bool {
                guard scenario.isTeamRequired, let team, let team else { return false }
                return !allTeams.contains(team)
            }
            let allPeople = Set(
                scenario.records.flatMap { (record) -> [Int] in
                    switch record {
                    case .team(let team): team.rule.isInPlace ? team.members ?? [] : []
                    case .person(let serial, let team): isRejected(team) ? [] : [serial]
                    }
                })
            for (number, record) in scenario.records.enumerated() {
                switch record {
                case .team(let team):
                    let (code, rule) = (team.code, team.rule)
                    let isNew = !teams.contains(code)
                    if isNew { teams.append(code) }
                    if rule.hasParents, let parent = team.parent {
                        if !teams.contains(parent) { teams.append(parent) }
                        if rule.match != "fill" || parents[code] == nil { parents[code] = parent }
                    }
                    if rule.isInPlace {
                        for member in team.members ?? [] where !people.contains(member) { people.append(member) }
                    }
                    guard let members = team.members, isNew || rule.match != "skip" else { continue }
                    let absences = members.count { !allPeople.contains($0) }
                    if rule.match == "fill" {
                        if owners.values.contains(where: { $0.team == code }) { continue }
                        if absences == members.count {
                            unfilled[code] = absences
                            continue
                        }
                        unfilled[code] = nil
                    } else if !isNew, !rule.adds {
                        for (person, owner) in owners where owner.team == code { owners[person] = nil }
                        (absent[code], unfilled[code]) = (nil, nil)
                    }
                    absent[code, default: 0] += absences
                    let isRanked = rule.match != "fill" && rule.adds && rule.isRanked && !rule.isInPlace
                    let rank = isRanked ? team.rank ?? -1 : -1
                    for (place, member) in members.enumerated() where allPeople.contains(member) {
                        owners[member] = (code, [pass, 0, rank, number, place])
                    }
                case .person(let serial, let team):
                    if isRejected(team) {
                        rejected += 1
                        continue
                    }
                    let isNew = !people.contains(serial)
                    if isNew { people.append(serial) }
                    if scenario.isTeamInPlace, let code = team ?? nil, !teams.contains(code) { teams.append(code) }
                    guard let team, isNew || scenario.peopleMatch != "skip" else { continue }
                    if scenario.peopleMatch == "fill", owners[serial] != nil || team == nil { continue }
                    lost[serial] = team.map { allTeams.contains($0) ? 0 : 1 }
                    guard let team, allTeams.contains(team) else {
                        owners[serial] = nil
                        continue
                    }
                    if firsts[[serial, team]] == nil { firsts[[serial, team]] = number }
                    if owners[serial]?.team != team {
                        owners[serial] = (team, [pass, 1, firsts[[serial, team]] ?? 0])
                    }
                }
            }
        }

        var rows: [String] {
            people.map { "\($0)|\(owners[$0].map { "\($0.team)" } ?? "NULL")" }.sorted()
        }

        /// By team, its people in their order.
        var sequences: [String] {
            teams.compactMap { team in
                let own = owners.filter { $0.value.team == team }
                let sorted = own.sorted { $0.value.place.lexicographicallyPrecedes($1.value.place) }
                return own.isEmpty ? nil : "\(team)|\(sorted.map { "\($0.key)" }.joined(separator: ","))"
            }.sorted()
        }

        var links: Int64 { Int64(owners.count + parents.count) }
    }

    private static let query =
        "SELECT p.ZSERIAL, t.ZCODE FROM ZPERSON p LEFT JOIN ZTEAM t ON t.Z_PK = p.ZTEAM"
    private static let sequences =
        "SELECT code, group_concat(ZSERIAL, ',') FROM (SELECT t.ZCODE AS code, p.ZSERIAL FROM ZPERSON p "
        + "JOIN ZTEAM t ON t.Z_PK = p.ZTEAM ORDER BY t.ZCODE, p.Z_FOK_TEAM) GROUP BY code"

    @Test(arguments: [1, 2, 3, 7, 1000])
    func theLastRecordThatSaysALinkCounts(size: Int) throws {
        try Scenario.forEachCase(60, size: size, assembledTenths: 9) { random in
            let scenario = random.scenario
            let plain = Plain(scenario)
            var again = plain
            again.take(scenario)
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                var options = random.options
                options.writer = writer
                let context = "\(writer) \(random.context)"
                let fixture = try ImportFixture(entities: scenario.entities)
                let report = try scenario.run(options, in: fixture, isJudged: random.isJudged)
                try fixture.requireRows(Self.query, plain.rows, context)
                #expect(report.unresolvedLinks == plain.unresolved, "\(context)")
                if scenario.isOrdered { try fixture.requireRows(Self.sequences, plain.sequences, context) }
                #expect(report.rejected == plain.rejected, "\(context)")
                let repetition = try scenario.run(options, in: fixture, isJudged: false)
                try fixture.requireRows(Self.query, again.rows, "again \(context)")
                // Lists that add to a store deal out the places that its objects have.
                if scenario.isOrdered, !scenario.mapping.contains("add: true") {
                    try fixture.requireRows(Self.sequences, again.sequences, "again \(context)")
                }
                #expect(repetition.rejected == plain.rejected, "again \(context)")
                return report
            }
            let (found, expected) = (try report(.auto), try report(.sqlite))
            let counts = [found, expected].map { report in
                report.entities.map { "\($0.entity) \($0.inserted) \($0.skipped)" }.sorted()
            }
            #expect(counts[0] == counts[1], "\(random.context)")
            if found.isAssembled {
                #expect(found.entities.map(\.related).reduce(0, +) == plain.links, "\(random.context)")
            }
            return found
        }
    }

    @Test(arguments: [1, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
