import Foundation
import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// One-to-one relationships: who names an object takes it from whoever had it, record by record, whatever the batches are.
@Suite struct OneToOneLimitTests {
    private static let entities = """
        <entity name="Badge"><attribute name="code" attributeType="String"/>
        <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person" inverseName="badge" \
        inverseEntity="Person"/></entity>
        <entity name="Person"><attribute name="name" attributeType="String"/>
        <attribute name="age" optional="YES" attributeType="Integer 16"/>
        <relationship name="badge" optional="YES" maxCount="1" destinationEntity="Badge" inverseName="owner" \
        inverseEntity="Badge"/>
        <relationship name="mentor" optional="YES" maxCount="1" destinationEntity="Person" inverseName="mentee" \
        inverseEntity="Person"/>
        <relationship name="mentee" optional="YES" maxCount="1" destinationEntity="Person" inverseName="mentor" \
        inverseEntity="Person"/></entity>
        """

    private static let queries = [
        "SELECT 'badge ' || ZCODE FROM ZBADGE ORDER BY ZCODE",
        """
        SELECT 'person ' || p.ZNAME, p.ZAGE, b.ZCODE, m.ZNAME FROM ZPERSON p LEFT JOIN ZBADGE b ON b.Z_PK = p.ZBADGE
        LEFT JOIN ZPERSON m ON m.Z_PK = p.ZMENTOR ORDER BY p.ZNAME
        """,
        """
        SELECT 'one-sided ' || p.ZNAME FROM ZPERSON p LEFT JOIN ZBADGE b ON b.Z_PK = p.ZBADGE
        LEFT JOIN ZPERSON m ON m.Z_PK = p.ZMENTOR LEFT JOIN ZPERSON e ON e.Z_PK = p.ZMENTEE
        WHERE b.ZOWNER <> p.Z_PK OR (b.Z_PK IS NOT NULL AND b.ZOWNER IS NULL)
        OR (m.Z_PK IS NOT NULL AND m.ZMENTEE IS NOT p.Z_PK) OR (e.Z_PK IS NOT NULL AND e.ZMENTOR IS NOT p.Z_PK)
        UNION ALL SELECT 'one-sided ' || ZCODE FROM ZBADGE WHERE ZOWNER IS NOT NULL
        AND (SELECT p.ZBADGE FROM ZPERSON p WHERE p.Z_PK = ZOWNER) IS NOT ZBADGE.Z_PK
        """,
    ]

    private struct Record {
        var name: String
        var age: Int?
        var badge: String?
        var mentor: String?

        var line: String { "\(name),\(age.map { "\($0)" } ?? ""),\(badge ?? ""),\(mentor ?? "")" }
    }

    private struct Rules: CustomStringConvertible {
        var match = MatchPolicy.update
        var badge = PlainImport.Missing.skip
        var mentor = PlainImport.Missing.skip
        var badgesFirst = true

        var description: String { "\(match), badge \(badge), mentor \(mentor), badges first \(badgesFirst)" }
    }

    /// The objects and links, record by record.
    private struct Plain {
        var badges: Set<String> = []
        var people: [String: Int?] = [:]
        /// By person.
        var badge: [String: String] = [:]
        var mentor: [String: String] = [:]
        var rejected = 0
        var related = 0
        var unrelated = 0

        private static func set(_ links: inout [String: String], _ owner: String, _ destination: String?) {
            guard links[owner] != destination else { return }
            if let destination, let former = links.first(where: { $0.value == destination })?.key {
                links[former] = nil
            }
            links[owner] = destination
        }

        mutating func run(_ codes: [String], _ records: [Record], _ rules: Rules) {
            let before = self
            var isAccepted = [Bool](repeating: true, count: records.count)
            while true {
                self = before
                badges.formUnion(codes)
                var known = rules.match == .error ? Set(before.people.keys) : []
                let isNew = zip(records, isAccepted).map { record, isAccepted in
                    isAccepted && (rules.match != .error || known.insert(record.name).inserted)
                }
                let accepted = zip(records, isNew).filter(\.1).map(\.0)
                var makers: Set<Int> = []
                for (index, record) in accepted.enumerated() {
                    if before.people[record.name] == nil,
                        !accepted[..<index].contains(where: { $0.name == record.name })
                    {
                        makers.insert(index)
                        people[record.name] = .some(record.age)
                    }
                }
                for record in accepted {
                    if rules.badge == .create, let badge = record.badge { badges.insert(badge) }
                    if rules.mentor == .create, let mentor = record.mentor, people[mentor] == nil {
                        people[mentor] = .some(nil)
                    }
                }
                var isStable = true
                for (index, record) in records.enumerated() where isNew[index] {
                    let isBad =
                        rules.badge == .error && record.badge.map { !badges.contains($0) } ?? false
                        || rules.mentor == .error && record.mentor.map { people[$0] == nil } ?? false
                    if isBad { (isAccepted[index], isStable) = (false, false) }
                }
                guard isStable else { continue }
                for (index, record) in accepted.enumerated() {
                    let badge = record.badge.flatMap { badges.contains($0) ? $0 : nil }
                    let mentor = record.mentor.flatMap { people[$0] == nil ? nil : $0 }
                    switch rules.match {
                    case .update:
                        people[record.name] = .some(record.age)
                        Self.set(&self.badge, record.name, badge)
                        Self.set(&self.mentor, record.name, mentor)
                    case .fill:
                        if people[record.name] == .some(nil) { people[record.name] = .some(record.age) }
                        if self.badge[record.name] == nil { Self.set(&self.badge, record.name, badge) }
                        if self.mentor[record.name] == nil { Self.set(&self.mentor, record.name, mentor) }
                    case .skip, .error:
                        guard makers.contains(index) else { continue }
                        Self.set(&self.badge, record.name, badge)
                        Self.set(&self.mentor, record.name, mentor)
                    }
                }
                rejected = isNew.filter { !$0 }.count
                (related, unrelated) = (links.subtracting(before.links).count, before.links.subtracting(links).count)
                return
            }
        }

        private var links: Set<String> {
            Set(badge.map { "\($0.key) wears \($0.value)" } + mentor.map { "\($0.key) asks \($0.value)" })
        }

        var lines: [String] {
            badges.sorted().map { "badge \($0)" }
                + people.sorted { $0.key < $1.key }.map { name, age in
                    "person \(name)|\(age.map { "\($0)" } ?? "NULL")|\(badge[name] ?? "NULL")|\(mentor[name] ?? "NULL")"
                }
        }
    }

    private func check(seed: UInt64, size: Int) throws {
        var random = RandomNumbers(seed: seed)
        let fixture = try ImportFixture(entities: Self.entities)
        try fixture.run("code\n", as: "empty.csv", mapping: "entity: Badge\nattributes: [code]")
        let policies: [PlainImport.Missing] =
            [[.skip], [.skip, .create], [.skip, .error]].randomElement(using: &random) ?? [.skip]
        var plain = Plain()
        for round in 1...3 {
            var rules = Rules()
            rules.match = [.update, .update, .fill, .skip, .error].randomElement(using: &random) ?? .update
            rules.badge = policies.randomElement(using: &random) ?? .skip
            rules.mentor = policies.randomElement(using: &random) ?? .skip
            rules.badgesFirst = Bool.random(using: &random)
            if rules.match == .skip || rules.match == .error, rules.mentor == .create { rules.mentor = .skip }
            let codes = ["x", "y", "z"].filter { _ in Bool.random(using: &random) }
            func maybe(_ names: [String]) -> String? {
                Int.random(in: 0..<4, using: &random) == 0 ? nil : names.randomElement(using: &random)
            }
            let records = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                Record(
                    name: ["a", "b", "c", "d"].randomElement(using: &random) ?? "a",
                    age: Int.random(in: 0..<3, using: &random) == 0 ? nil : Int.random(in: 1...9, using: &random),
                    badge: maybe(["x", "y", "z"]), mentor: maybe(["a", "b", "c", "d", "e"]))
            }
            let badges = try fixture.write("code\n" + codes.map { $0 + "\n" }.joined(), as: "badges.csv")
            let text = "name,age,badge,mentor\n" + records.map { $0.line + "\n" }.joined()
            let people = try fixture.write(text, as: "people.csv")
            let mapping = try ImportMapping(
                yaml: """
                    import: 1
                    sources:
                      - files: badges.csv
                        entity: Badge
                        key: code
                        attributes: [code]
                      - files: people.csv
                        entity: Person
                        key: name
                        onMatch: \(rules.match.rawValue)
                        attributes: [name, age]
                        relationships:
                          badge: {by: code, from: badge, onMissing: \(rules.badge.rawValue)}
                          mentor: {by: name, from: mentor, onMissing: \(rules.mentor.rawValue)}

                    """)
            var options = ImportOptions(limits: RecordBatch.Limits(rows: size))
            options.fixedLimits.waitingLinks = [1, 2, 3, 1000].randomElement(using: &random) ?? 1
            options.commit = Int.random(in: 0..<4, using: &random) == 0 ? .batch : .whole
            let report = try fixture.run(
                rules.badgesFirst ? [badges, people] : [people, badges], .mapping(mapping), options: options)
            plain.run(codes, records, rules)
            let found = try Self.queries.flatMap { try fixture.rows($0) }
            let context = "seed \(seed), size \(size), round \(round), \(rules)\nbadges \(codes)\n\(text)"
            let (extra, lacking) = (Set(found).subtracting(plain.lines), Set(plain.lines).subtracting(found))
            try #require(
                found == plain.lines, "\(context)\nin the store: \(extra.sorted())\nplainly: \(lacking.sorted())")
            try #require(Int(report.rejected) == plain.rejected, "\(context)")
            let person = report.entities.first { $0.entity == "Person" }
            let counts = "\(person?.related ?? 0) \(person?.unrelated ?? 0)"
            try #require(counts == "\(plain.related) \(plain.unrelated)", "\(context)")
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func whoNamesAnObjectLastHasIt(size: Int) throws {
        for seed in RandomNumbers.seeds(40) { try check(seed: UInt64(700_000 + seed), size: size) }
    }
}
