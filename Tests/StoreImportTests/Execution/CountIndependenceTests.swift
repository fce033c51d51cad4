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

    @Test(arguments: ["update", "fill"], [NewStoreWriter.auto, .sqlite])
    func recordsCountAsIfEachWereReadByItself(onMatch: String, writer: NewStoreWriter) throws {
        let entity = DraftFixture.entity(
            "Person", "name",
            more: """
                <attribute name="age" optional="YES" attributeType="Integer 16" defaultValueString="7"/>
                <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
                inverseEntity="Person"/><relationship name="staff" optional="YES" toMany="YES" \
                destinationEntity="Person" inverseName="boss" inverseEntity="Person"/>
                """)
        for seed in RandomNumbers.seeds(40) {
            for size in [1, 2, 3, 7, 1000] {
                var random = RandomNumbers(seed: UInt64(seed))
                let fixture = try ImportFixture(entities: entity)
                var options = ImportOptions()
                options.limits.rows = size
                options.writer = writer
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
                    let report = try fixture.run(
                        text, as: "people-\(round).json",
                        mapping: "records: '[*]'\nentity: Person\nkey: name\nonMatch: \(onMatch)\n"
                            + "attributes: [name, age]\nrelationships:\n  boss: {by: name, from: boss, onMissing: create}\n",
                        options: options)
                    let entity = try #require(report.entities.first)
                    let found = Counts(
                        inserted: entity.inserted, updated: entity.updated, unchanged: entity.unchanged)
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
}
