import ImportTestSupport
import PersistentStores
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports of an entity together with its subentities, and of objects of them that are made because records name
/// them, into a new store: assembled and written by SQLite, both are what a plain model has that takes one record after
/// the other.
@Suite struct AssembledNestedTests {
    private static func entities(isAbstract: Bool) -> String {
        """
        <entity name="Person" isAbstract="\(isAbstract ? "YES" : "NO")">
        <attribute name="number" optional="YES" attributeType="Integer 32"/>
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
        inverseEntity="Person"/>
        <relationship name="staff" optional="YES" toMany="YES" destinationEntity="Person" inverseName="boss" \
        inverseEntity="Person"/>
        <relationship name="mentor" optional="YES" maxCount="1" destinationEntity="Employee" inverseName="pupils" \
        inverseEntity="Employee"/>
        <relationship name="led" optional="YES" toMany="YES" destinationEntity="Team" inverseName="lead" \
        inverseEntity="Team"/>
        <relationship name="clubs" optional="YES" toMany="YES" destinationEntity="Team" inverseName="members" \
        inverseEntity="Team"/></entity>
        <entity name="Employee" parentEntity="Person"><attribute name="grade" optional="YES" attributeType="Integer 16"/>
        <relationship name="pupils" optional="YES" toMany="YES" destinationEntity="Person" inverseName="mentor" \
        inverseEntity="Person"/></entity>
        <entity name="Manager" parentEntity="Employee"/>
        <entity name="Guest" parentEntity="Person"/>
        <entity name="Team"><attribute name="code" attributeType="String"/>
        <relationship name="lead" optional="YES" maxCount="1" destinationEntity="Person" inverseName="led" \
        inverseEntity="Person"/>
        <relationship name="members" optional="YES" toMany="YES" destinationEntity="Person" inverseName="clubs" \
        inverseEntity="Person"/></entity>
        """
    }

    private static let parents = ["Employee": "Person", "Manager": "Employee", "Guest": "Person"]

    private static func isKind(_ entity: String, of other: String) -> Bool {
        entity == other || parents[entity].map { isKind($0, of: other) } ?? false
    }

    /// What a relationship of a source names.
    private struct Link {
        let name: String
        let entity: String
        let creates: Bool
    }

    private struct Source {
        let entity: String
        let rule: String
        let links: [Link]
        var text: String {
            let isEmployee = AssembledNestedTests.isKind(entity, of: "Employee")
            let person = entity == "Team" ? "" : ", name\(isEmployee ? ", grade" : "")"
            var text = """
                  - files: \(entity)*.json
                    entity: \(entity)
                    key: \(entity == "Team" ? "code" : "number")
                    onMatch: \(rule)
                    attributes: [\(entity == "Team" ? "code" : "number")\(person)]
                    \(links.isEmpty && entity != "Team" ? "# no relationships" : "relationships:")

                """
            for link in links {
                let missing = link.creates ? "create" : "skip"
                text +=
                    "      \(link.name): {by: number, entity: \(link.entity), from: \(link.name), onMissing: \(missing)}\n"
            }
            if entity == "Team" { text += "      members: {by: number, from: 'members[*]', onMissing: skip}\n" }
            return text
        }
    }

    private struct Record {
        let source: Int
        /// By field, nil for null.
        var fields: [(name: String, value: String?)] = []
        var members: [String]?

        subscript(_ name: String) -> String?? { fields.first { $0.name == name }.map(\.value) }

        var line: String {
            var parts = fields.map { "\"\($0.name)\": \($0.value.map { Int($0) == nil ? "\"\($0)\"" : $0 } ?? "null")" }
            if let members { parts.append("\"members\": [\(members.joined(separator: ", "))]") }
            return "{" + parts.joined(separator: ", ") + "}\n"
        }
    }

    private struct Scenario: RandomImport {
        let isAbstract: Bool
        var sources: [Source] = []
        var records: [Record] = []
        var files: [(name: String, text: String)] = []
        var entities: String { AssembledNestedTests.entities(isAbstract: isAbstract) }
        var mapping: String { "import: 1\nsources:\n" + sources.map(\.text).joined() }

        init(_ random: inout RandomNumbers) {
            func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            isAbstract = number(below: 3) == 0
            let kinds = (isAbstract ? [] : ["Person"]) + ["Employee", "Manager", "Guest"]
            let keys = [3, 8, 30].randomElement(using: &random) ?? 3
            let creates = number(below: 3)
            func link(_ name: String, _ kinds: [String]) -> Link {
                let isMade = number(below: 3) < creates
                let entity = pick(kinds)
                return Link(
                    name: name,
                    entity: isMade || number(below: 2) == 0 ? entity : name == "mentor" ? "Employee" : "Person",
                    creates: isMade)
            }
            for entity in (kinds + ["Team"]).shuffled(using: &random) where entity == "Team" || number(below: 4) > 0 {
                let links =
                    entity == "Team"
                    ? [link("lead", kinds)] : [link("boss", kinds), link("mentor", ["Employee", "Manager"])]
                sources.append(
                    Source(
                        entity: entity, rule: pick(["update", "update", "fill", "fill", "skip"]),
                        links: links.filter { _ in number(below: 4) > 0 }))
            }
            for (index, source) in sources.enumerated() {
                for part in 0..<number(below: 2) + 1 {
                    var text = ""
                    for _ in 0..<number(below: 14) {
                        var record = Record(source: index)
                        if source.entity == "Team" {
                            record.fields.append(("code", "t\(number(below: 4))"))
                            if number(below: 2) == 0 {
                                record.members = (0..<number(below: 4)).map { _ in "\(number(below: keys))" }
                            }
                        } else {
                            record.fields.append(("number", number(below: 12) == 0 ? nil : "\(number(below: keys))"))
                            if number(below: 4) > 0 {
                                record.fields.append(("name", number(below: 6) == 0 ? nil : "n\(number(below: 3))"))
                            }
                            if AssembledNestedTests.isKind(source.entity, of: "Employee"), number(below: 2) == 0 {
                                record.fields.append(("grade", "\(number(below: 2))"))
                            }
                        }
                        for link in source.links where number(below: 3) > 0 {
                            record.fields.append((link.name, number(below: 6) == 0 ? nil : "\(number(below: keys))"))
                        }
                        records.append(record)
                        text += record.line
                    }
                    files.append(("\(source.entity)\(part).json", text))
                }
            }
        }
    }

    /// What the records come to, read one after the other.
    private struct Plain {
        private final class Object {
            let entity: String
            let number: String?
            var values: [String: String] = [:]
            /// What is said of each link, in order.
            var said: [(link: Link, number: String?, fills: Bool)] = []
            var members: (numbers: [String], isFirst: Bool)?
            /// Lists that fill, each of a record.
            var lists: [(numbers: [String], fills: Bool)] = []

            init(_ entity: String, _ number: String?) {
                self.entity = entity
                self.number = number
            }
        }

        private var objects: [Object] = []

        private func find(_ entity: String, _ number: String?) -> Object? {
            guard let number else { return nil }
            return objects.first { $0.number == number && AssembledNestedTests.isKind($0.entity, of: entity) }
        }

        init(_ scenario: Scenario) {
            for record in scenario.records {
                let source = scenario.sources[record.source]
                for link in source.links where link.creates {
                    guard let named = record[link.name], let named, find(link.entity, named) == nil else { continue }
                    objects.append(Object(link.entity, named))
                }
                let key = (source.entity == "Team" ? record["code"] : record["number"]) ?? nil
                let known = find(source.entity, key)
                if known != nil, source.rule == "skip" { continue }
                let object = known ?? Object(source.entity, key)
                if known == nil { objects.append(object) }
                let fills = known != nil && source.rule == "fill"
                for name in ["name", "grade"] {
                    guard let value = record[name], !fills || object.values[name] == nil else { continue }
                    object.values[name] = value
                }
                for link in source.links {
                    if let named = record[link.name] { object.said.append((link, named, fills)) }
                }
                if let members = record.members { object.lists.append((members, fills)) }
            }
        }

        private func destination(_ object: Object, _ name: String) -> Object? {
            var found: Object?
            for said in object.said where said.link.name == name {
                if said.fills, found != nil { continue }
                found = find(said.link.entity, said.number)
            }
            return found
        }

        private func name(_ object: Object?) -> String {
            guard let object else { return "-" }
            return
                "\(object.entity) \(object.number ?? "-") \(object.values["name"] ?? "-") \(object.values["grade"] ?? "-")"
        }

        var people: [String] {
            objects.filter { $0.entity != "Team" }.map { object in
                [object, destination(object, "boss"), destination(object, "mentor")].map(name).joined(separator: "|")
            }.sorted()
        }

        var teams: [String] {
            objects.filter { $0.entity == "Team" }.map { "\($0.number ?? "-")|\(name(destination($0, "lead")))" }
                .sorted()
        }

        var members: [String] {
            var rows: [String] = []
            for team in objects where team.entity == "Team" {
                var found: [Object] = []
                for list in team.lists {
                    if list.fills, !found.isEmpty { continue }
                    found = []
                    for case let person? in list.numbers.map({ find("Person", $0) })
                    where !found.contains(where: { $0 === person }) {
                        found.append(person)
                    }
                }
                rows += found.map { "\(team.number ?? "-")|\(name($0))" }
            }
            return rows.sorted()
        }

        func count(_ entity: String) -> Int64 { Int64(objects.count { $0.entity == entity }) }
    }

    private static func name(_ alias: String, _ key: String) -> String {
        "CASE WHEN \(alias).Z_PK IS NULL THEN '-' ELSE \(key).Z_NAME || ' ' || ifnull(\(alias).ZNUMBER, '-') || ' ' || "
            + "ifnull(\(alias).ZNAME, '-') || ' ' || ifnull(\(alias).ZGRADE, '-') END"
    }

    private static let people = """
        SELECT \(name("p", "k")), \(name("b", "l")), \(name("m", "n")) FROM ZPERSON p \
        JOIN Z_PRIMARYKEY k ON k.Z_ENT = p.Z_ENT \
        LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS LEFT JOIN Z_PRIMARYKEY l ON l.Z_ENT = p.Z1_BOSS \
        LEFT JOIN ZPERSON m ON m.Z_PK = p.ZMENTOR LEFT JOIN Z_PRIMARYKEY n ON n.Z_ENT = p.Z2_MENTOR
        """
    private static let teams = """
        SELECT t.ZCODE, \(name("p", "k")) FROM ZTEAM t LEFT JOIN ZPERSON p ON p.Z_PK = t.ZLEAD \
        LEFT JOIN Z_PRIMARYKEY k ON k.Z_ENT = t.Z1_LEAD
        """
    private static let members = """
        SELECT t.ZCODE, \(name("p", "k")) FROM Z_1CLUBS j JOIN ZPERSON p ON p.Z_PK = j.Z_1MEMBERS \
        JOIN Z_PRIMARYKEY k ON k.Z_ENT = p.Z_ENT JOIN ZTEAM t ON t.Z_PK = j.Z_5CLUBS
        """

    @Test(arguments: [1, 2, 3, 7, 1000])
    func objectsAreThoseOfTheRecordsInTheirOrder(size: Int) throws {
        try Scenario.forEachCase(40, size: size, assembledTenths: 7.5) { random in
            let scenario = random.scenario
            let plain = Plain(scenario)
            let context = random.context
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let fixture = try ImportFixture(entities: scenario.entities)
                random.options.writer = writer
                let report = try scenario.run(random.options, in: fixture, isJudged: random.isJudged)
                try fixture.requireRows(Self.people, plain.people, "\(writer) \(context)")
                try fixture.requireRows(Self.teams, plain.teams, "\(writer) \(context)")
                try fixture.requireRows(Self.members, plain.members, "\(writer) \(context)")
                for entity in report.entities {
                    #expect(entity.inserted == plain.count(entity.entity), "\(writer) \(entity.entity) \(context)")
                }
                return report
            }
            let (found, expected) = (try report(.auto), try report(.sqlite))
            #expect(found.entities.map(\.skipped) == expected.entities.map(\.skipped), "\(context)")
            #expect(
                found.entities.map(\.related).reduce(0, +) == expected.entities.map(\.related).reduce(0, +),
                "\(context)")
            #expect(found.unresolvedLinks == expected.unresolvedLinks, "\(context)")
            return found
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
