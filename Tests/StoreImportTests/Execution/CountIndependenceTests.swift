import PersistentStores
import RecordSources
import TestSupport
import Testing

@testable import StoreImport

/// How records are counted whose relationship leads to objects of their own kind, which are made where they are not
/// there: as if each had been read by itself, whatever the batches and the writer.
@Suite struct CountIndependenceTests {
    private struct Person {
        var age: Int?
        var boss: String?
    }

    private struct Counts: Equatable {
        var inserted: Int64 = 0
        var updated: Int64 = 0
        var unchanged: Int64 = 0
    }

    private struct Record {
        let name: String
        /// Nil where the record does not mention it.
        let age: Int?
        let boss: String?

        var json: String {
            "{\"name\": \"\(name)\"\(age.map { ", \"age\": \($0)" } ?? "")\(boss.map { ", \"boss\": \"\($0)\"" } ?? "")}"
        }
    }

    /// What records come to, read one after the other.
    private static func take(_ records: [Record], _ people: inout [String: Person], fills: Bool) -> Counts {
        var counts = Counts()
        for record in records {
            if var person = people[record.name] {
                let before = person
                if let age = record.age, !fills || person.age == nil { person.age = age }
                if let boss = record.boss, !fills || person.boss == nil { person.boss = boss }
                people[record.name] = person
                if before.age == person.age, before.boss == person.boss {
                    counts.unchanged += 1
                } else {
                    counts.updated += 1
                }
            } else {
                people[record.name] = Person(age: record.age ?? 7, boss: record.boss)
                counts.inserted += 1
            }
            guard let boss = record.boss, people[boss] == nil else { continue }
            people[boss] = Person(age: 7)
            counts.inserted += 1
        }
        return counts
    }

    /// Imports records, and returns how they were counted.
    private static func run(
        _ text: String, as name: String, _ onMatch: String, boss onMissing: String, in fixture: ImportFixture,
        _ options: ImportOptions
    ) throws -> Counts {
        let report = try fixture.run(
            text, as: name,
            mapping: """
                records: '[*]'
                entity: Person
                key: name
                onMatch: \(onMatch)
                attributes: [name, age]
                relationships: {boss: {by: name, from: boss, onMissing: \(onMissing)}}

                """, options: options)
        let entity = try #require(report.entities.first)
        return Counts(inserted: entity.inserted, updated: entity.updated, unchanged: entity.unchanged)
    }

    @Test(arguments: ["update", "fill"], [NewStoreWriter.auto, .sqlite])
    func recordsCountAsIfEachWereReadByItself(onMatch: String, writer: NewStoreWriter) throws {
        let entity = PersonModel.entity(
            """
            <attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="age" optional="YES" attributeType="Integer 16" defaultValueString="7"/>
            """)
        for seed in RandomNumbers.seeds(40) {
            for size in [1, 2, 3, 7, 1000] {
                var random = RandomNumbers(seed: UInt64(seed))
                let fixture = try ImportFixture(entities: entity)
                var options = ImportOptions(rows: size, writer)
                options.fixedLimits.cachedObjects = [0, 1, 3, 20_000].randomElement(using: &random) ?? 0
                var people: [String: Person] = [:]
                for round in 1...2 {
                    let names = (0..<6).map { "p\($0)" }
                    let records = (0..<Int.random(in: 2...9, using: &random)).map { _ in
                        Record(
                            name: names.randomElement(using: &random) ?? "",
                            age: [nil, 7, 8, 9].randomElement(using: &random) ?? nil,
                            boss: Bool.random(using: &random) ? names.randomElement(using: &random) : nil)
                    }
                    let wanted = Self.take(records, &people, fills: onMatch == "fill")
                    let text = "[" + records.map(\.json).joined(separator: ",\n") + "]"
                    let found = try Self.run(
                        text, as: "people-\(round).json", onMatch, boss: "create", in: fixture, options)
                    let context = "seed \(seed), batches of \(size), round \(round):\n\(text)"
                    #expect(found == wanted, "\(context)")
                    let rows = try fixture.rows(
                        """
                        SELECT p.ZNAME, p.ZAGE, b.ZNAME FROM ZPERSON p LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS
                        ORDER BY 1
                        """)
                    let lines = people.sorted { $0.key < $1.key }.map { name, person in
                        "\(name)|\(person.age.map { String($0) } ?? "NULL")|\(person.boss ?? "NULL")"
                    }
                    #expect(rows == lines, "\(context)")
                }
            }
        }
    }

    /// What a record comes to that may name objects of records before it and behind it.
    private struct LateRecord {
        let name: String
        let age: Int?
        /// Nil where the record does not mention it, empty for a null.
        let boss: String?

        var json: String {
            let boss = boss.map { ", \"boss\": " + ($0.isEmpty ? "null" : "\"\($0)\"") } ?? ""
            return "{\"name\": \"\(name)\"\(age.map { ", \"age\": \($0)" } ?? "")\(boss)}"
        }
    }

    /// The counts of records that are read one after the other: a link counts with its record where its object is there
    /// then.
    private static func count(
        _ records: [LateRecord], _ people: inout [String: Person], fills: Bool
    ) -> Counts {
        var counts = Counts()
        var waiting: Set<String> = []
        // A link to what never comes fills nothing.
        let coming = Set(people.keys).union(records.map(\.name))
        for record in records {
            let isThere = record.boss.map { people[$0] != nil } ?? false
            let waits = record.boss.map { !$0.isEmpty && !isThere } ?? false
            let boss = isThere ? record.boss : nil
            guard var person = people[record.name] else {
                people[record.name] = Person(age: record.age, boss: boss)
                if waits, coming.contains(record.boss ?? "") { waiting.insert(record.name) }
                counts.inserted += 1
                continue
            }
            let before = person
            if let age = record.age, !fills || person.age == nil { person.age = age }
            if fills {
                // What is empty is filled by the first record whose object comes.
                if let boss, person.boss == nil, !waiting.contains(record.name) { person.boss = boss }
            } else if !waits, record.boss != nil {
                person.boss = boss
            }
            if waits, coming.contains(record.boss ?? "") { waiting.insert(record.name) }
            people[record.name] = person
            if before.age == person.age, before.boss == person.boss {
                counts.unchanged += 1
            } else {
                counts.updated += 1
            }
        }
        return counts
    }

    @Test(arguments: [("update", "skip"), ("update", "error"), ("fill", "skip"), ("fill", "error")])
    func linksToEarlierRecordsCountWhateverTheBatches(onMatch: String, onMissing: String) throws {
        let entity = PersonModel.entity(
            """
            <attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="age" optional="YES" attributeType="Integer 16"/>
            """)
        for seed in RandomNumbers.seeds(30) {
            let writer: NewStoreWriter = seed % 2 == 0 ? .auto : .sqlite
            for size in [1, 2, 3, 7, 1000] {
                var random = RandomNumbers(seed: UInt64(seed))
                let fixture = try ImportFixture(entities: entity)
                var options = ImportOptions(rows: size, writer)
                options.fixedLimits.cachedObjects = [0, 1, 3, 20_000].randomElement(using: &random) ?? 0
                var people: [String: Person] = [:]
                for round in 1...2 {
                    let names = (0..<5).map { "p\($0)" }
                    var records = (0..<Int.random(in: 2...9, using: &random)).map { _ in
                        LateRecord(
                            name: names.randomElement(using: &random) ?? "",
                            age: [nil, 8, 9].randomElement(using: &random) ?? nil,
                            boss: Bool.random(using: &random)
                                ? (names + ["", "none"]).randomElement(using: &random) : nil)
                    }
                    if onMissing == "error" {
                        // Nothing is rejected here.
                        let known = Set(people.keys).union(records.map(\.name)).union([""])
                        records.removeAll { !known.contains($0.boss ?? "") }
                        let left = Set(people.keys).union(records.map(\.name)).union([""])
                        records = records.map {
                            LateRecord(name: $0.name, age: $0.age, boss: left.contains($0.boss ?? "") ? $0.boss : nil)
                        }
                    }
                    guard !records.isEmpty else { continue }
                    let wanted = Self.count(records, &people, fills: onMatch == "fill")
                    let text = "[" + records.map(\.json).joined(separator: ",\n") + "]"
                    let found = try Self.run(
                        text, as: "people-\(round).json", onMatch, boss: onMissing, in: fixture, options)
                    #expect(found == wanted, "seed \(seed), batches of \(size), round \(round):\n\(text)")
                    // What waited is there now.
                    for name in people.keys { people[name]?.boss = nil }
                    for row in try fixture.rows(
                        "SELECT p.ZNAME, b.ZNAME FROM ZPERSON p JOIN ZPERSON b ON b.Z_PK = p.ZBOSS")
                    {
                        let parts = row.split(separator: "|").map(String.init)
                        people[parts[0]]?.boss = parts[1]
                    }
                }
            }
        }
    }
}
