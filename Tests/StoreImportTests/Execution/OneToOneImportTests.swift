import PersistentStores
import RecordSources
import TestSupport
import Testing

@testable import StoreImport

/// One-to-one relationships by key: a record takes what it names from the object that had it, in the order of the
/// records, whatever the size of the batches, the writer, and whether the store is new.
@Suite struct OneToOneImportTests {
    /// What a person's relationship leads to, and what the other side is called.
    enum Shape: String, CaseIterable, Sendable {
        case badge, next, spouse

        var entities: String {
            let isOther = self == .badge
            let inverse = ["badge": "owner", "next": "before", "spouse": "spouse"][rawValue] ?? ""
            func relationship(_ name: String, _ destination: String, _ inverse: String) -> String {
                "<relationship name='\(name)' optional='YES' maxCount='1' destinationEntity='\(destination)' "
                    + "inverseName='\(inverse)' inverseEntity='\(destination)'/>"
            }
            let target = isOther ? "Badge" : "Person"
            let own = relationship(rawValue, target, inverse)
            let back = relationship(inverse, "Person", rawValue)
            return DraftFixture.entity("Person", "name", more: own + (self == .next ? back : ""))
                + (isOther ? DraftFixture.entity("Badge", "name", more: back) : "")
        }

        /// What each object's side of a link says: its name, a bar, and the other's.
        var queries: [String] {
            func query(_ table: String, _ column: String, _ other: String) -> String {
                "SELECT a.ZNAME, b.ZNAME FROM \(table) a JOIN \(other) b ON b.Z_PK = a.\(column) ORDER BY 1"
            }
            return switch self {
            case .badge: [query("ZPERSON", "ZBADGE", "ZBADGE"), query("ZBADGE", "ZOWNER", "ZPERSON")]
            case .next: [query("ZPERSON", "ZNEXT", "ZPERSON"), query("ZPERSON", "ZBEFORE", "ZPERSON")]
            case .spouse: [query("ZPERSON", "ZSPOUSE", "ZPERSON")]
            }
        }
    }

    /// The links after records, each of which was read and written by itself.
    struct PlainLinks {
        let shape: Shape
        private(set) var destinations: [String: String] = [:]

        mutating func take(_ owner: String, _ destination: String?) {
            if shape == .spouse {
                for name in [owner, destination].compactMap({ $0 }) {
                    if let other = destinations.removeValue(forKey: name) { destinations[other] = nil }
                }
                guard let destination else { return }
                destinations[owner] = destination
                destinations[destination] = owner
                return
            }
            destinations[owner] = nil
            guard let destination else { return }
            for (other, named) in destinations where named == destination { destinations[other] = nil }
            destinations[owner] = destination
        }

        /// What the queries of the shape give.
        var rows: [[String]] {
            let forward = destinations.map { "\($0.key)|\($0.value)" }.sorted()
            let back = destinations.map { "\($0.value)|\($0.key)" }.sorted()
            return shape == .spouse ? [forward] : [forward, back]
        }
    }

    @Test(arguments: Shape.allCases, [NewStoreWriter.auto, .sqlite])
    func aRecordTakesWhatItNames(shape: Shape, writer: NewStoreWriter) throws {
        for seed in RandomNumbers.seeds(60) {
            var random = RandomNumbers(seed: UInt64(seed))
            let records = (0..<Int.random(in: 2...7, using: &random)).map { _ in
                (
                    name: ["a", "b", "c"].randomElement(using: &random) ?? "a",
                    other: Int.random(in: 0...4, using: &random) == 0
                        ? nil
                        : (shape == .badge ? ["1", "2", "3"] : ["a", "b", "c", "d"]).randomElement(using: &random)
                )
            }
            let text = records.map { "\($0.name),\($0.other ?? "")\n" }.joined()
            var plain = PlainLinks(shape: shape)
            for size in [1, 2, 3, 1000] {
                let fixture = try ImportFixture(entities: shape.entities)
                var options = ImportOptions()
                options.limits.rows = size
                options.writer = writer
                plain = PlainLinks(shape: shape)
                for pass in 1...2 {
                    for record in records { plain.take(record.name, record.other) }
                    try fixture.run(
                        "name,other\n" + text, as: "people-\(pass).csv",
                        mapping: "entity: Person\nkey: name\nattributes: [name]\nrelationships:\n"
                            + "  \(shape.rawValue): {by: name, from: other, onMissing: create}\n", options: options)
                    let found = try shape.queries.map { try fixture.rows($0) }
                    #expect(
                        found == plain.rows,
                        "seed \(seed), batches of \(size), pass \(pass):\n\(text)")
                    #expect(try fixture.faults() == [], "seed \(seed), batches of \(size), pass \(pass):\n\(text)")
                }
            }
        }
    }
}
