import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import RecordSources
@testable import StoreImport

/// To-ones whose inverse is ordered: an owner's objects have the order of the records that name it, wherever the owner's
/// own record stands, whatever the batches.
@Suite struct OrderedInverseTests {
    private static let people = DraftFixture.entity(
        "Person", "name", "age:Integer 16",
        more: """
            <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
            inverseEntity="Person"/>
            <relationship name="staff" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" \
            inverseName="boss" inverseEntity="Person"/>
            """)

    private static let staff = """
        SELECT b.ZNAME, group_concat(p.ZNAME, ' ') FROM (SELECT * FROM ZPERSON ORDER BY ZBOSS, Z_FOK_BOSS) p
        JOIN ZPERSON b ON b.Z_PK = p.ZBOSS GROUP BY 1 ORDER BY 1
        """

    private static func mapping(_ onMissing: String) -> String {
        "entity: Person\nkey: name\nattributes: [name, age]\nrelationships:\n"
            + "  boss: {by: name, from: boss, onMissing: \(onMissing)}\n"
    }

    /// Lists of names, by owner, after records that were read one after the other, all owners known.
    private struct PlainLists {
        private(set) var bosses: [String: String] = [:]
        /// Which of the imports, and which of its records, brought an object to its owner.
        private var arrivals: [String: [String: (round: Int, place: Int)]] = [:]

        mutating func run(_ records: [(name: String, boss: String?)], round: Int, known: Set<String>) {
            let before = bosses
            var named: [String: [String: Int]] = [:]
            for (place, record) in records.enumerated() {
                let boss = record.boss.flatMap { known.contains($0) ? $0 : nil }
                bosses[record.name] = boss
                guard let boss, named[record.name]?[boss] == nil else { continue }
                named[record.name, default: [:]][boss] = place
            }
            for (name, boss) in bosses where before[name] != boss {
                arrivals[name, default: [:]][boss] = (round, named[name]?[boss] ?? 0)
            }
        }

        var rows: [String] {
            Dictionary(grouping: bosses, by: \.value).map { boss, people in
                let names = people.map(\.key).sorted { one, other in
                    let places = [one, other].map { arrivals[$0]?[boss] ?? (0, 0) }
                    return places[0] < places[1]
                }
                return "\(boss)|\(names.joined(separator: " "))"
            }.sorted()
        }
    }

    @Test(arguments: ["skip", "create"])
    func theOrderIsThatOfTheRecords(onMissing: String) throws {
        for seed in RandomNumbers.seeds(40) {
            for size in [1, 2, 3, 7, 1000] {
                var random = RandomNumbers(seed: UInt64(seed))
                let fixture = try ImportFixture(entities: Self.people)
                var options = ImportOptions()
                options.limits.rows = size
                options.fixedLimits.waitingLinks = [1, 2, 1000].randomElement(using: &random) ?? 1
                options.fixedLimits.assembly.keysInMemory = size
                options.fixedLimits.assembly.entriesPerPart = size
                options.fixedLimits.assembly.waitingEntries = size
                options.fixedLimits.assembly.sortMemory = size * 40
                var plain = PlainLists()
                var known: Set<String> = []
                for round in 1...3 {
                    let names = ["a", "b", "c", "d", "e", "f", "g", "h"]
                    let records = (0..<Int.random(in: 3...12, using: &random)).map { _ in
                        (
                            name: names.randomElement(using: &random) ?? "a",
                            boss: Int.random(in: 0...5, using: &random) == 0
                                ? nil : (names.prefix(4) + ["x"]).randomElement(using: &random)
                        )
                    }
                    known.formUnion(records.map(\.name))
                    if onMissing == "create" { known.formUnion(records.compactMap(\.boss)) }
                    plain.run(records, round: round, known: known)
                    let text = records.map { "\($0.name),,\($0.boss ?? "")\n" }.joined()
                    let report = try fixture.run(
                        "name,age,boss\n" + text, as: "people-\(round).csv", mapping: Self.mapping(onMissing),
                        options: options)
                    #expect(report.writer == (round == 1 ? .builder : nil))
                    let found = try fixture.rows(Self.staff)
                    try #require(found == plain.rows, "seed \(seed), batches of \(size), round \(round):\n\(text)")
                    #expect(try fixture.faults() == [])
                }
            }
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000], [false, true])
    func recordsThatAreTakenBackLeaveTheOthersInTheirOrder(size: Int, isThere: Bool) throws {
        let fixture = try ImportFixture(entities: Self.people)
        if isThere {
            try fixture.run(
                "name,age,boss\nd,,\nold,,d\nmoves,,d\nlast,,d\n", as: "first.csv", mapping: Self.mapping("skip"))
        }
        let report = try fixture.run(
            "name,age,boss\na,,d\nb,,nobody\nc,,d\nmoves,,b\nd,,\ne,,d\n", as: "people.csv",
            mapping: Self.mapping("error"), options: ImportOptions(limits: RecordBatch.Limits(rows: size)))
        #expect(report.rejected == 2)
        #expect(try fixture.rows(Self.staff) == [isThere ? "d|old moves last a c e" : "d|a c e"])
        #expect(try fixture.faults() == [])
    }
}
