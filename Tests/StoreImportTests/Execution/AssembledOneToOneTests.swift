import Foundation
import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports of one-to-one relationships into a new store, of which the records of one side or of both say what they
/// lead to: assembled and written by SQLite, both are what a plain model has that takes one record after the other.
@Suite struct AssembledOneToOneTests {
    private static let entities = """
        <entity name="Person"><attribute name="number" optional="YES" attributeType="Integer 32"/>
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="badge" optional="YES" maxCount="1" destinationEntity="Badge" inverseName="owner" \
        inverseEntity="Badge"/>
        <relationship name="spouse" optional="YES" maxCount="1" destinationEntity="Person" inverseName="spouse" \
        inverseEntity="Person"/>
        <relationship name="next" optional="YES" maxCount="1" destinationEntity="Person" inverseName="previous" \
        inverseEntity="Person"/>
        <relationship name="previous" optional="YES" maxCount="1" destinationEntity="Person" inverseName="next" \
        inverseEntity="Person"/></entity>
        <entity name="Badge"><attribute name="code" optional="YES" attributeType="Integer 32"/>
        <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person" inverseName="badge" \
        inverseEntity="Person"/></entity>
        <entity name="Card" parentEntity="Badge"/>
        """

    private static let inverses = [
        "badge": "owner", "owner": "badge", "spouse": "spouse", "next": "previous", "previous": "next",
    ]

    private struct Link {
        let name: String
        let missing: String
        /// Whether records have the objects in place.
        var isInPlace = false
        var entity: String { name == "badge" ? "Badge" : "Person" }
    }

    private struct Source {
        let entity: String
        let rule: String
        let links: [Link]

        var key: String { entity == "Person" ? "number" : "code" }

        var text: String {
            let named = links.map { link in
                if link.isInPlace { return "\(link.name): {object: \(link.name)}" }
                let key = link.entity == "Person" ? "number" : "code"
                return "\(link.name): {by: \(key), from: \(link.name), onMissing: \(link.missing)}"
            }
            var text = """
                  - files: \(entity)*.json
                    objects:
                      - entity: \(entity)
                        key: \(key)
                        onMatch: \(rule)
                        attributes: [\(key)\(entity == "Person" ? ", name" : "")]
                        relationships: {\(named.joined(separator: ", "))}

                """
            for link in links where link.isInPlace {
                text += """
                          - id: \(link.name)
                            entity: \(link.entity)
                            each: \(link.name)
                            key: \(link.entity == "Person" ? "number" : "code")
                            attributes: [\(link.entity == "Person" ? "number" : "code")]

                    """
            }
            return text
        }
    }

    private struct Record: NumberRecord {
        let source: Int
        var fields: [(name: String, value: Int?)] = []
        /// By name of a field, the key of the object that it has in place.
        var keys: [String: String] = [:]

        var line: String {
            let parts = fields.map { name, value in
                let text = value.map { "\($0)" } ?? "null"
                return "\"\(name)\": " + (value.flatMap { _ in keys[name] }.map { "{\"\($0)\": \(text)}" } ?? text)
            }
            return "{" + parts.joined(separator: ", ") + "}\n"
        }
    }

    private struct Scenario: RandomImport {
        var sources: [Source] = []
        var records: [Record] = []
        var files: [(name: String, text: String)] = []
        /// Whether the model has uniqueness constraints with the relationships, which never refuse a link.
        var isConstrained = false
        var entities: String {
            guard isConstrained else { return AssembledOneToOneTests.entities }
            func constraint(_ names: String...) -> String {
                let values = names.map { "<constraint value=\"\($0)\"/>" }.joined()
                return "<uniquenessConstraint>\(values)</uniquenessConstraint>"
            }
            let constraints = [
                "Person": constraint("name", "badge") + constraint("spouse") + constraint("previous", "name"),
                "Badge": constraint("owner"),
            ]
            return constraints.reduce(AssembledOneToOneTests.entities) { entities, own in
                let start = entities.range(of: "<entity name=\"\(own.key)\">").map(\.upperBound) ?? entities.endIndex
                let end = entities.range(of: "</entity>", range: start..<entities.endIndex)?.lowerBound ?? start
                var changed = entities
                changed.insert(contentsOf: "<uniquenessConstraints>\(own.value)</uniquenessConstraints>", at: end)
                return changed
            }
        }
        var mapping: String { "import: 1\nsources:\n" + sources.map(\.text).joined() }
        var hasObjectsInPlace: Bool { sources.flatMap(\.links).contains(where: \.isInPlace) }

        init(_ random: inout RandomNumbers) {
            func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            let keys = [3, 6, 30].randomElement(using: &random) ?? 3
            let mayReject = number(below: 3) == 0
            func links(_ names: [String]) -> [Link] {
                names.filter { _ in number(below: 5) < 3 }.map { name in
                    Link(
                        name: name, missing: mayReject ? pick(["skip", "skip", "error"]) : pick(["skip", "create"]),
                        isInPlace: ["badge", "owner"].contains(name) && number(below: 3) == 0)
                }
            }
            for entity in ["Person", "Badge", "Card"].shuffled(using: &random)
            where entity == "Person" || number(below: 3) > 0 {
                let names = entity == "Person" ? ["badge", "spouse", "next", "previous"] : ["owner"]
                let rule = mayReject ? "update" : pick(["update", "update", "fill", "fill", "skip"])
                sources.append(Source(entity: entity, rule: rule, links: links(names.shuffled(using: &random))))
            }
            for (index, source) in sources.enumerated() {
                for part in 0..<number(below: 2) + 1 {
                    var text = ""
                    for _ in 0..<number(below: 14) {
                        var record = Record(source: index)
                        for link in source.links where link.isInPlace {
                            record.keys[link.name] = link.entity == "Person" ? "number" : "code"
                        }
                        record.fields.append((source.key, number(below: 15) == 0 ? nil : number(below: keys)))
                        if source.entity == "Person", number(below: 3) > 0 {
                            record.fields.append(("name", number(below: 3)))
                        }
                        for link in source.links where number(below: 4) > 0 {
                            record.fields.append((link.name, number(below: 6) == 0 ? nil : number(below: keys)))
                        }
                        records.append(record)
                        text += record.line
                    }
                    files.append(("\(source.entity)\(part).json", text))
                }
            }
            isConstrained = number(below: 2) == 0
        }
    }

    /// What the records come to, read one after the other, without those that name what is nowhere and must not.
    private struct Plain {
        private final class Object {
            let entity: String
            let key: Int?
            var name: Int?
            var partners: [String: Object] = [:]

            init(_ entity: String, _ key: Int?) {
                self.entity = entity
                self.key = key
            }
        }

        private var objects: [Object] = []
        private let scenario: Scenario
        private var isRejected: [Bool]
        var rejected: Int { isRejected.count { $0 } }

        init(_ scenario: Scenario) {
            self.scenario = scenario
            isRejected = [Bool](repeating: false, count: scenario.records.count)
            while true {
                let failing = read()
                if failing.isEmpty { return }
                for index in failing { isRejected[index] = true }
            }
        }

        private func find(_ entity: String, _ key: Int?) -> Object? {
            guard let key else { return nil }
            return objects.first { $0.key == key && ($0.entity == entity || entity == "Badge" && $0.entity == "Card") }
        }

        /// - Returns: the records that cannot be.
        private mutating func read() -> [Int] {
            objects = []
            var said: [(record: Record, object: Object, fills: Bool)] = []
            let accepted = scenario.records.indices.filter { !isRejected[$0] }
            for index in accepted {
                let record = scenario.records[index]
                let source = scenario.sources[record.source]
                for link in source.links where link.missing == "create" || link.isInPlace {
                    guard let named = record[link.name], let named, find(link.entity, named) == nil else { continue }
                    objects.append(Object(link.entity, named))
                }
                let key = record[source.key] ?? nil
                let known = find(source.entity, key)
                if known != nil, source.rule == "skip" { continue }
                let object = known ?? Object(source.entity, key)
                if known == nil { objects.append(object) }
                let fills = source.rule == "fill"
                if let name = record["name"], !fills || object.name == nil { object.name = name }
                said.append((record, object, fills))
            }
            let failing = accepted.filter { index in
                let record = scenario.records[index]
                return scenario.sources[record.source].links.contains { link in
                    guard link.missing == "error", !link.isInPlace, let named = record[link.name], let named else {
                        return false
                    }
                    return find(link.entity, named) == nil
                }
            }
            guard failing.isEmpty else { return failing }
            for (record, object, fills) in said {
                for link in scenario.sources[record.source].links {
                    guard let named = record[link.name] else { continue }
                    let destination = find(link.entity, named)
                    if fills, object.partners[link.name] != nil || destination == nil { continue }
                    lead(object, link.name, to: destination)
                }
            }
            return []
        }

        private func lead(_ object: Object, _ name: String, to destination: Object?) {
            guard let inverse = AssembledOneToOneTests.inverses[name], object.partners[name] !== destination else {
                return
            }
            if let former = object.partners[name] { former.partners[inverse] = nil }
            object.partners[name] = nil
            guard let destination else { return }
            if let holder = destination.partners[inverse] { holder.partners[name] = nil }
            object.partners[name] = destination
            destination.partners[inverse] = object
        }

        private static func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "-" }

        var people: [String] {
            objects.filter { $0.entity == "Person" }.map { person in
                ([Self.text(person.key), Self.text(person.name), person.partners["badge"]?.entity ?? "-"]
                    + ["badge", "spouse", "next", "previous"].map { Self.text(person.partners[$0].flatMap(\.key)) })
                    .joined(separator: "|")
            }.sorted()
        }

        var badges: [String] {
            objects.filter { $0.entity != "Person" }.map { badge in
                "\(badge.entity)|\(Self.text(badge.key))|\(Self.text(badge.partners["owner"].flatMap(\.key)))"
            }.sorted()
        }

        func count(_ entity: String) -> Int64 { Int64(objects.count { $0.entity == entity }) }
    }

    private static let people = """
        SELECT ifnull(p.ZNUMBER, '-'), ifnull(p.ZNAME, '-'), ifnull(k.Z_NAME, '-'), ifnull(b.ZCODE, '-'), \
        ifnull(s.ZNUMBER, '-'), ifnull(n.ZNUMBER, '-'), ifnull(q.ZNUMBER, '-') FROM ZPERSON p \
        LEFT JOIN ZBADGE b ON b.Z_PK = p.ZBADGE LEFT JOIN Z_PRIMARYKEY k ON k.Z_ENT = p.Z1_BADGE \
        LEFT JOIN ZPERSON s ON s.Z_PK = p.ZSPOUSE LEFT JOIN ZPERSON n ON n.Z_PK = p.ZNEXT \
        LEFT JOIN ZPERSON q ON q.Z_PK = p.ZPREVIOUS
        """
    private static let badges = """
        SELECT k.Z_NAME, ifnull(b.ZCODE, '-'), ifnull(p.ZNUMBER, '-') FROM ZBADGE b \
        JOIN Z_PRIMARYKEY k ON k.Z_ENT = b.Z_ENT LEFT JOIN ZPERSON p ON p.Z_PK = b.ZOWNER
        """
    /// Links that the other side does not have.
    private static let oneSided = """
        SELECT count(*) FROM ZPERSON p LEFT JOIN ZBADGE b ON b.Z_PK = p.ZBADGE LEFT JOIN ZPERSON s ON s.Z_PK = p.ZSPOUSE \
        LEFT JOIN ZPERSON n ON n.Z_PK = p.ZNEXT LEFT JOIN ZPERSON q ON q.Z_PK = p.ZPREVIOUS \
        WHERE p.ZBADGE IS NOT NULL AND b.ZOWNER IS NOT p.Z_PK OR p.ZSPOUSE IS NOT NULL AND s.ZSPOUSE IS NOT p.Z_PK \
        OR p.ZNEXT IS NOT NULL AND n.ZPREVIOUS IS NOT p.Z_PK OR p.ZPREVIOUS IS NOT NULL AND q.ZNEXT IS NOT p.Z_PK
        """

    @Test(arguments: [1, 2, 3, 7, 1000])
    func eachRecordTakesWhatItNames(size: Int) throws {
        try Scenario.forEachCase(40, size: size, assembledTenths: 7.5) { random in
            let scenario = random.scenario
            random.options.fixedLimits.assembly.partnerPages = 1
            let plain = Plain(scenario)
            let context = random.context
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let fixture = try ImportFixture(entities: scenario.entities)
                random.options.writer = writer
                // SQLite does not always put back what objects in place were linked to before.
                let isRestored = writer == .sqlite && plain.rejected > 0 && scenario.hasObjectsInPlace
                let report = try scenario.run(
                    random.options, in: fixture, isJudged: random.isJudged && !isRestored)
                if isRestored { return report }
                try fixture.requireRows(Self.people, plain.people, "\(writer) \(context)")
                try fixture.requireRows(Self.badges, plain.badges, "\(writer) \(context)")
                #expect(try fixture.rows(Self.oneSided) == ["0"], "\(writer) \(context)")
                #expect(report.rejected == plain.rejected, "\(writer) \(context)")
                for entity in report.entities {
                    #expect(entity.inserted == plain.count(entity.entity), "\(writer) \(entity.entity) \(context)")
                }
                return report
            }
            let (found, expected) = (try report(.auto), try report(.sqlite))
            if plain.rejected > 0, scenario.hasObjectsInPlace { return found }
            let skipped = [found, expected].map { $0.entities.map(\.skipped).reduce(0, +) }
            #expect(skipped[0] == skipped[1], "\(context)")
            let related = [found, expected].map { $0.entities.map(\.related) }
            #expect(related[0].reduce(0, +) == related[1].reduce(0, +), "\(related) \(context)")
            #expect(found.unresolvedLinks == expected.unresolvedLinks, "\(context)")
            return found
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }

    /// A record that makes both objects of a link: the last one that says so has the other.
    @Test(arguments: [1, 2, 3, 1000])
    func objectsOfARecordAreLinkedAtBothSides(size: Int) throws {
        for key in ["key: code", "# no key"] {
            for writer in [NewStoreWriter.auto, .sqlite] {
                let fixture = try ImportFixture(entities: Self.entities)
                let mapping = """
                    import: 1
                    sources:
                      - files: people.csv
                        objects:
                          - {id: person, entity: Person, key: number, attributes: [number, name], relationships: {badge: {object: badge}}}
                          - id: badge
                            entity: Badge
                            \(key)
                            attributes: [code]
                    """
                let file = try fixture.write("number,name,code\n1,5,7\n2,5,8\n3,6,7\n1,6,9\n2,5,8\n", as: "people.csv")
                var random = RandomNumbers(seed: UInt64(size))
                var options = ImportOptions(assembling: size, &random)
                options.writer = writer
                let report = try fixture.run([file], .mapping(try ImportMapping(yaml: mapping)), options: options)
                #expect(report.isAssembled == (writer == .auto))
                let (people, badges) = (
                    ["1|6|Badge|9|-|-|-", "2|5|Badge|8|-|-|-", "3|6|Badge|7|-|-|-"],
                    key == "# no key"
                        ? ["Badge|7|-", "Badge|7|3", "Badge|8|-", "Badge|8|2", "Badge|9|1"]
                        : ["Badge|7|3", "Badge|8|2", "Badge|9|1"]
                )
                #expect(try fixture.rows(Self.people).sorted() == people, "\(key) \(writer)")
                #expect(try fixture.rows(Self.badges).sorted() == badges, "\(key) \(writer)")
                #expect(try fixture.rows(Self.oneSided) == ["0"])
            }
        }
    }
}
