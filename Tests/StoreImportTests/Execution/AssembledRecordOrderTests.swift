import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store whose records make several objects with one-to-one relationships, and with places
/// among the objects of an owner: assembled and written by SQLite, both are what a plain model has that takes one record
/// after the other, whatever the batches are.
@Suite struct AssembledRecordOrderTests {
    private static let entities = """
        <entity name="Team"><attribute name="code" optional="YES" attributeType="Integer 32"/>
        <relationship name="people" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" \
        inverseName="team" inverseEntity="Person"/></entity>
        <entity name="Badge"><attribute name="code" optional="YES" attributeType="Integer 32"/>
        <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person" inverseName="badge" \
        inverseEntity="Person"/></entity>
        <entity name="Sheet"><attribute name="serial" optional="YES" attributeType="Integer 32"/></entity>
        <entity name="Person"><attribute name="serial" optional="YES" attributeType="Integer 32"/>
        <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="people" \
        inverseEntity="Team"/>
        <relationship name="badge" optional="YES" maxCount="1" destinationEntity="Badge" inverseName="owner" \
        inverseEntity="Badge"/></entity>
        """

    /// What a record says of a person: nil where it does not mention a link, nil in that for a null.
    private struct Saying {
        let serial: Int
        let badge: Int??
        let team: Int??

        func fields(_ names: (serial: String, badge: String, team: String)) -> String {
            var fields = ["\"\(names.serial)\": \(serial)"]
            for (name, value) in [(names.badge, badge), (names.team, team)] {
                if let value { fields.append("\"\(name)\": \(value.map { "\($0)" } ?? "null")") }
            }
            return fields.joined(separator: ", ")
        }
    }

    private enum Record {
        case badge(Int)
        case team(Int)
        /// A badge that says whose it is.
        case mark(Int, owner: Int??)
        /// The persons of the record's own mappings, and those of its parts.
        case people(own: [Saying], parts: [Saying])

        var line: String {
            switch self {
            case .badge(let code), .team(let code): return "{\"code\": \(code)}\n"
            case .mark(let code, let owner):
                let text = owner.map { ", \"owner\": \($0.map { "\($0)" } ?? "null")" } ?? ""
                return "{\"code\": \(code)\(text)}\n"
            case .people(let own, let parts):
                let names = [("a", "b1", "t1"), ("b", "b2", "t2")]
                var fields = zip(own, names).map { $0.fields($1) }
                let texts = parts.map { "{" + $0.fields(("serial", "badge", "team")) + "}" }
                fields.append("\"parts\": [\(texts.joined(separator: ", "))]")
                return "{\(fields.joined(separator: ", "))}\n"
            }
        }
    }

    private struct Scenario: RandomImport {
        /// Whether the persons are parts of their records, and have a key.
        let hasKey: Bool
        let isSkipping: Bool
        /// Whether records of badges say whose they are.
        let hasMarks: Bool
        var mapping = "import: 1\nsources:\n"
        var records: [Record] = []
        var files: [(name: String, text: String)] = []
        var entities: String { AssembledRecordOrderTests.entities }

        init(_ random: inout RandomNumbers) {
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            hasKey = Bool.random(using: &random)
            isSkipping = hasKey && number(below: 3) == 0
            hasMarks = Bool.random(using: &random)
            func links(_ badge: String, _ team: String) -> String {
                "relationships: {badge: {by: code, from: \(badge)}, team: {by: code, from: \(team)}}"
            }
            let part = """
                      - id: part
                        entity: Person
                        each: parts[*]
                        \(hasKey ? "key: serial" : "# no key")
                        \(hasKey ? "onMatch: \(isSkipping ? "skip" : "update")" : "# none matches")
                        attributes: [serial]
                        \(links("badge", "team"))

                """
            let own = """
                      - {id: one, entity: Person, attributes: {serial: a}, \(links("b1", "t1"))}
                      - {id: two, entity: Person, attributes: {serial: b}, \(links("b2", "t2"))}

                """
            let sheet = "      - {id: sheet, entity: Sheet, attributes: {serial: s}}\n"
            var sources = [
                ("badge", "    entity: Badge\n    key: code\n    attributes: [code]\n"),
                ("team", "    entity: Team\n    key: code\n    attributes: [code]\n"),
                ("people", "    objects:\n" + (hasKey ? sheet : own) + part),
            ]
            if hasMarks {
                sources.append(
                    (
                        "mark",
                        "    entity: Badge\n    key: code\n    attributes: [code]\n"
                            + "    relationships: {owner: {by: serial, from: owner}}\n"
                    ))
            }
            sources.shuffle(using: &random)
            var serial = 0
            func link(below limit: Int) -> Int?? {
                switch number(below: 8) {
                case 0: .none
                case 1: .some(nil)
                default: .some(number(below: limit))
                }
            }
            func saying(_ serial: Int) -> Saying {
                Saying(serial: serial, badge: link(below: 4), team: link(below: 3))
            }
            func next() -> Int {
                serial += 1
                return serial
            }
            for (name, text) in sources {
                mapping += "  - files: \(name)*.json\n" + text
                for part in 0..<number(below: 2) + 1 {
                    var text = ""
                    for _ in 0..<number(below: name == "people" ? 10 : 4) {
                        let record: Record
                        switch name {
                        case "badge": record = .badge(number(below: 4))
                        case "team": record = .team(number(below: 3))
                        case "mark": record = .mark(number(below: 4), owner: link(below: 9))
                        default:
                            if hasKey {
                                let serials = Array(0..<7).shuffled(using: &random).prefix(number(below: 4))
                                record = .people(own: [], parts: serials.map(saying))
                            } else {
                                let parts = (0..<number(below: 3)).map { _ in saying(next()) }
                                record = .people(own: [saying(next()), saying(next())], parts: parts)
                            }
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
        private var serials: [Int] = []
        /// By person, its badge and its team.
        private var badges: [Int: Int] = [:]
        private var teams: [Int: Int] = [:]
        /// By person and team, the first record that lets the one lead to the other.
        private var firsts: [[Int]: Int] = [:]
        private var codes: Set<Int> = []
        private var teamCodes: Set<Int> = []

        init(_ scenario: Scenario) {
            var people: Set<Int> = []
            for record in scenario.records {
                switch record {
                case .badge(let code), .mark(let code, _): codes.insert(code)
                case .team(let code): teamCodes.insert(code)
                case .people(let own, let parts): people.formUnion((own + parts).map(\.serial))
                }
            }
            for (number, record) in scenario.records.enumerated() {
                switch record {
                case .badge, .team: break
                case .mark(let code, let owner):
                    if let owner { give(code, to: owner.flatMap { people.contains($0) ? $0 : nil }) }
                case .people(let own, let parts):
                    for saying in own + parts { take(saying, number, isSkipping: scenario.isSkipping) }
                }
            }
        }

        private mutating func take(_ saying: Saying, _ number: Int, isSkipping: Bool) {
            let isNew = !serials.contains(saying.serial)
            if isNew { serials.append(saying.serial) }
            guard isNew || !isSkipping else { return }
            if let badge = saying.badge {
                badges[saying.serial] = nil
                if let badge, codes.contains(badge) { give(badge, to: saying.serial) }
            }
            if let team = saying.team {
                teams[saying.serial] = team.flatMap { teamCodes.contains($0) ? $0 : nil }
                if let team = teams[saying.serial], firsts[[saying.serial, team]] == nil {
                    firsts[[saying.serial, team]] = number
                }
            }
        }

        private mutating func give(_ badge: Int, to person: Int?) {
            for (owner, other) in badges where other == badge { badges[owner] = nil }
            if let person { badges[person] = badge }
        }

        private static func text(_ value: Int?) -> String { value.map { "\($0)" } ?? "NULL" }

        var personRows: [String] {
            serials.map { "\($0)|\(Self.text(badges[$0]))|\(Self.text(teams[$0]))" }.sorted()
        }

        var badgeRows: [String] {
            codes.map { code in "\(code)|\(Self.text(badges.first { $0.value == code }?.key))" }.sorted()
        }

        /// By team, its people in their order: that of the first records that name it, then that in which they were made.
        var teamRows: [String] {
            teamCodes.compactMap { team in
                let own = serials.indices.filter { teams[serials[$0]] == team }
                func place(_ index: Int) -> (Int, Int) { (firsts[[serials[index], team]] ?? 0, index) }
                guard !own.isEmpty else { return nil }
                let sorted = own.sorted { place($0) < place($1) }.map { "\(serials[$0])" }
                return "\(team)|\(sorted.joined(separator: ","))"
            }.sorted()
        }

        var links: Int64 { Int64(badges.count + teams.count) }
    }

    private static let queries = [
        "SELECT p.ZSERIAL, b.ZCODE, t.ZCODE FROM ZPERSON p LEFT JOIN ZBADGE b ON b.Z_PK = p.ZBADGE "
            + "LEFT JOIN ZTEAM t ON t.Z_PK = p.ZTEAM",
        "SELECT b.ZCODE, p.ZSERIAL FROM ZBADGE b LEFT JOIN ZPERSON p ON p.Z_PK = b.ZOWNER",
        "SELECT code, group_concat(ZSERIAL, ',') FROM (SELECT t.ZCODE AS code, p.ZSERIAL FROM ZPERSON p "
            + "JOIN ZTEAM t ON t.Z_PK = p.ZTEAM ORDER BY t.ZCODE, p.Z_FOK_TEAM) GROUP BY code",
    ]

    @Test(arguments: [1, 2, 3, 7, 1000])
    func linksCountInTheOrderOfTheRecords(size: Int) throws {
        try Scenario.forEachCase(50, size: size, assembledTenths: 10) { random in
            let scenario = random.scenario
            let plain = Plain(scenario)
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                var options = random.options
                options.writer = writer
                let context = "\(writer) \(random.context)"
                let fixture = try ImportFixture(entities: scenario.entities)
                let report = try scenario.run(options, in: fixture, isJudged: random.isJudged)
                for (query, rows) in zip(Self.queries, [plain.personRows, plain.badgeRows, plain.teamRows]) {
                    try fixture.requireRows(query, rows, context)
                }
                #expect(report.rejected == 0, "\(context)")
                return report
            }
            let (found, expected) = (try report(.auto), try report(.sqlite))
            let counts = [found, expected].map { report in
                report.entities.map { "\($0.entity) \($0.inserted) \($0.skipped)" }.sorted()
            }
            #expect(counts[0] == counts[1], "\(random.context)")
            // Links that records of both sides say are counted for both.
            if !scenario.hasMarks {
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
