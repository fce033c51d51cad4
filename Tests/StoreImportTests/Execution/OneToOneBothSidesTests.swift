import ImportTestSupport
import PersistentStores
import RecordSources
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// One-to-one relationships of which the records of both sides say what they lead to: what is written last counts, in the
/// order of the records, whatever the batches and whichever objects are there.
@Suite struct OneToOneBothSidesTests {
    /// Where the two sides are mapped: in two files, or in the records of one, which have both.
    enum Shape: String, CaseIterable, Sendable {
        case peopleFirst, badgesFirst, chain

        var entities: String {
            func relationship(_ name: String, _ destination: String, _ inverse: String) -> String {
                "<relationship name='\(name)' optional='YES' maxCount='1' destinationEntity='\(destination)' "
                    + "inverseName='\(inverse)' inverseEntity='\(destination)'/>"
            }
            guard self != .chain else {
                return DraftFixture.entity(
                    "Person", "name",
                    more: relationship("next", "Person", "before") + relationship("before", "Person", "next"))
            }
            return DraftFixture.entity("Person", "name", more: relationship("badge", "Badge", "owner"))
                + DraftFixture.entity("Badge", "name", more: relationship("owner", "Person", "badge"))
        }

        func mapping(_ onMissing: String) throws -> ImportMapping {
            func source(_ entity: String, _ file: String, _ relationships: [(String, String)]) -> String {
                "  - files: \(file)*.csv\n    entity: \(entity)\n    key: name\n    attributes: [name]\n    relationships:\n"
                    + relationships.map {
                        "      \($0.0): {by: name, from: \($0.1), onMissing: \(onMissing)}\n"
                    }.joined()
            }
            let people = source("Person", "people", [("badge", "other")])
            let badges = source("Badge", "badges", [("owner", "other")])
            let text =
                switch self {
                case .peopleFirst: people + badges
                case .badgesFirst: badges + people
                case .chain: source("Person", "people", [("next", "other"), ("before", "back")])
                }
            return try ImportMapping(yaml: "import: 1\nsources:\n" + text)
        }

        /// What each object's side of a link says: its name, a bar, and the other's.
        var queries: [String] {
            let sides =
                self == .chain
                ? [("ZPERSON", "ZNEXT", "ZPERSON"), ("ZPERSON", "ZBEFORE", "ZPERSON")]
                : [("ZPERSON", "ZBADGE", "ZBADGE"), ("ZBADGE", "ZOWNER", "ZPERSON")]
            return sides.map { table, column, other in
                "SELECT a.ZNAME, b.ZNAME FROM \(table) a JOIN \(other) b ON b.Z_PK = a.\(column) ORDER BY 1"
            }
        }
    }

    /// A record: its object, what it leads to, and what leads to it where it says that too.
    private struct Record {
        let name: String
        let other: String?
        var back: String?
    }

    /// The links from people to badges, or from each person to the next one, told plainly.
    private struct PlainLinks {
        private(set) var destinations: [String: String] = [:]

        mutating func link(_ owner: String, to destination: String?) {
            destinations[owner] = nil
            guard let destination else { return }
            end(destination)
            destinations[owner] = destination
        }

        mutating func link(to destination: String, from owner: String?) {
            end(destination)
            if let owner { destinations[owner] = destination }
        }

        private mutating func end(_ destination: String) {
            for (owner, named) in destinations where named == destination { destinations[owner] = nil }
        }

        var rows: [[String]] {
            [
                destinations.map { "\($0.key)|\($0.value)" }.sorted(),
                destinations.map { "\($0.value)|\($0.key)" }.sorted(),
            ]
        }
    }

    private static func records(_ names: [String], _ others: [String], _ random: inout RandomNumbers) -> [Record] {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
            func other() -> String? {
                Int.random(in: 0...3, using: &random) == 0 ? nil : others.randomElement(using: &random)
            }
            return Record(name: names.randomElement(using: &random) ?? "a", other: other(), back: other())
        }
    }

    @Test(arguments: Shape.allCases, ["skip", "create"])
    func theLastRecordOfEitherSideCounts(shape: Shape, onMissing: String) throws {
        for seed in RandomNumbers.seeds(40) {
            for size in [1, 2, 3, 7, 1000] {
                var random = RandomNumbers(seed: UInt64(seed))
                let fixture = try ImportFixture(entities: shape.entities)
                var options = ImportOptions()
                options.limits.rows = size
                options.fixedLimits.waitingLinks = [1, 2, 1000].randomElement(using: &random) ?? 1
                options.writer = Bool.random(using: &random) ? .sqlite : .auto
                var plain = PlainLinks()
                var (knownPeople, knownBadges): (Set<String>, Set<String>) = ([], [])
                for pass in 1...3 {
                    let people = Self.records(
                        ["a", "b", "c", "d"], shape == .chain ? ["a", "b", "c", "d", "e"] : ["1", "2", "3", "4"],
                        &random)
                    let badges =
                        shape == .chain ? [] : Self.records(["1", "2", "3"], ["a", "b", "c", "d", "e"], &random)
                    knownPeople.formUnion(people.map(\.name))
                    knownBadges.formUnion(badges.map(\.name))
                    if onMissing == "create" {
                        let named = people.compactMap(\.other)
                        if shape == .chain { knownPeople.formUnion(named + people.compactMap(\.back)) }
                        if shape != .chain { knownBadges.formUnion(named) }
                        knownPeople.formUnion(badges.compactMap(\.other))
                    }
                    func takePeople() {
                        for record in people {
                            let known = shape == .chain ? knownPeople : knownBadges
                            plain.link(record.name, to: record.other.flatMap { known.contains($0) ? $0 : nil })
                            guard shape == .chain else { continue }
                            plain.link(to: record.name, from: record.back.flatMap { known.contains($0) ? $0 : nil })
                        }
                    }
                    func takeBadges() {
                        for record in badges {
                            plain.link(
                                to: record.name, from: record.other.flatMap { knownPeople.contains($0) ? $0 : nil })
                        }
                    }
                    if shape == .badgesFirst { takeBadges() }
                    takePeople()
                    if shape != .badgesFirst { takeBadges() }
                    func text(_ records: [Record]) -> String {
                        "name,other,back\n"
                            + records.map { "\($0.name),\($0.other ?? ""),\($0.back ?? "")\n" }.joined()
                    }
                    var paths = [try fixture.write(text(people), as: "people-\(pass).csv")]
                    if shape != .chain { paths.append(try fixture.write(text(badges), as: "badges-\(pass).csv")) }
                    try fixture.run(paths, .mapping(try shape.mapping(onMissing)), options: options)
                    let found = try shape.queries.map { try fixture.rows($0) }
                    let context = "seed \(seed), batches of \(size), pass \(pass)\n\(text(people))\(text(badges))"
                    try #require(found == plain.rows, "\(context)")
                    #expect(try fixture.faults() == [], "\(context)")
                }
            }
        }
    }
}
