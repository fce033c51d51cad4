import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import TestSupport
import Testing

@testable import StoreConversion

/// Lists that only their owners name, that disagree with the other side, or name what is not there: the builder enters
/// them into rows as SQLite's statements do, and finds the same.
@Suite struct ListedLinkTests {
    private static func model() throws -> ResolvedModel {
        try ResolvedModel(
            ManagedObjectModel(entities: [
                entity(
                    "Person", [attribute("name")],
                    [
                        relationship("boss", to: "Person", inverse: "staff"),
                        relationship("staff", to: "Person", inverse: "boss", many: true, ordered: true),
                        relationship("mentor", to: "Person", inverse: "pupils"),
                        relationship("pupils", to: "Person", inverse: "mentor", many: true),
                        relationship("pets", to: "Animal", many: true),
                        relationship("dogs", to: "Dog", many: true),
                        relationship("queue", to: "Animal", many: true, ordered: true),
                        relationship("clubs", to: "Club", inverse: "members", many: true),
                        relationship("guides", to: "Club", inverse: "guided", many: true),
                        relationship("teams", to: "Club", inverse: "players", many: true, ordered: true),
                    ]),
                entity("Pupil", parent: "Person", [attribute("grade", .integer16)]),
                entity("Animal", [attribute("name")], [relationship("keeper", to: "Person")]),
                entity("Dog", parent: "Animal", [attribute("breed")]),
                entity(
                    "Club", [attribute("name")],
                    [
                        relationship("members", to: "Person", inverse: "clubs", many: true, ordered: true),
                        relationship("guided", to: "Person", inverse: "guides", many: true),
                        relationship("players", to: "Person", inverse: "teams", many: true, ordered: true),
                    ]),
            ]))
    }

    /// Objects whose links agree, or do not.
    ///
    /// - Parameter faults: of a hundred links, those that are wrong.
    private static func objects(_ model: ResolvedModel, faults: Int, _ random: inout RandomNumbers) -> [StoredObject] {
        let forms = ObjectForms(model)
        let people = Int64.random(in: 1...60, using: &random)
        let animals = Int64.random(in: 1...60, using: &random)
        let clubs = Int64.random(in: 1...20, using: &random)
        var lists: [String: [Int64: [Int64]]] = [:]
        var toOnes: [String: [Int64: Int64]] = [:]
        func isWrong() -> Bool { Int.random(in: 0..<100, using: &random) < faults }
        func link(_ list: String, _ toOne: String?, _ destinations: Int64) {
            for destination in 1...destinations where Bool.random(using: &random) {
                let owner = Int64.random(in: 1...people, using: &random)
                if !isWrong() { lists[list, default: [:]][owner, default: []].append(destination) }
                if isWrong() {
                    let other = Int64.random(in: 1...people + 2, using: &random)
                    lists[list, default: [:]][other, default: []].append(destination)
                }
                if isWrong() { lists[list, default: [:]][owner, default: []].append(destinations + 5) }
                if let toOne, !isWrong() { toOnes[toOne, default: [:]][destination] = owner }
            }
        }
        link("staff", "boss", people)
        link("pupils", "mentor", people)
        link("pets", nil, animals)
        link("dogs", nil, animals)
        link("queue", nil, animals)
        // Both directions of a relationship with a join table.
        for (list, inverse) in [("clubs", "members"), ("guides", "guided"), ("teams", "players")] {
            for person in 1...people {
                for club in 1...clubs where Int.random(in: 0..<4, using: &random) == 0 {
                    if !isWrong() { lists[list, default: [:]][person, default: []].append(club) }
                    if !isWrong() { lists[inverse, default: [:]][club, default: []].append(person) }
                    if isWrong() { lists[inverse, default: [:]][club, default: []].append(person + 7) }
                    if isWrong() { lists[list, default: [:]][person, default: []].append(club + 7) }
                }
            }
        }
        for list in lists.keys.sorted() {
            for owner in (lists[list] ?? [:]).keys.sorted() {
                lists[list]?[owner]?.shuffle(using: &random)
                // Without an order, and without an inverse, an object is in one list once.
                if isWrong(), ["staff", "members", "players", "teams"].contains(list),
                    let first = lists[list]?[owner]?.first
                {
                    lists[list]?[owner]?.append(first)
                }
            }
        }
        var result: [StoredObject] = []
        func add(_ name: String, _ key: Int64) {
            guard let form = forms.entities.first(where: { $0.name == name }) else { return }
            var object = StoredObject()
            object.begin(form, key: key)
            for (place, attribute) in form.attributes.enumerated() where attribute.type == .string {
                object.setValue(.string("\(name) \(key)"), at: place)
            }
            for relationship in form.relationships {
                object.appendRelationship(
                    toOnes[relationship.name]?[key].map { [$0] } ?? lists[relationship.name]?[key] ?? [])
            }
            result.append(object)
        }
        for key in 1...people { add(key % 3 == 0 ? "Pupil" : "Person", key) }
        for key in 1...animals { add(key % 2 == 0 ? "Dog" : "Animal", key) }
        for key in 1...clubs { add("Club", key) }
        if Bool.random(using: &random) { result.shuffle(using: &random) }
        return result
    }

    /// The rows of join tables in their order.
    private static func joinRows(of path: String) throws -> [String] {
        let connection = try Connection(path: path, access: .readOnly)
        let names = try connection.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z_[0-9]*' ORDER BY name")
        #expect(names.count == 3)
        return try names.flatMap { row in
            let name = SQLiteIdentifier.quoted(row[0].string ?? "")
            return try connection.rows("SELECT rowid, * FROM \(name) ORDER BY rowid").map {
                "\(name) \($0.map(\.literal))"
            }
        }
    }

    @Test(arguments: RandomNumbers.seeds(40), [true, false])
    func bothWritersEnterTheSameLinks(_ seed: Int, keepsIDs: Bool) throws {
        var random = RandomNumbers(seed: UInt64(seed + 9000))
        let directory = try TemporaryDirectory()
        let model = try Self.model()
        let objects = Self.objects(model, faults: [0, 3, 40].randomElement(using: &random) ?? 0, &random)
        var metadata = newStore(model).metadata
        metadata.uuid = "51E57CC6-6B1F-4BD2-8C0B-7A0C4DD28F1C"
        var texts: [[String]] = []
        for writer in [NewStoreWriter.sqlite, .builder] {
            var options = ConversionOptions()
            options.writer = writer
            options.keepsIDs = keepsIDs
            if Bool.random(using: &random) { options.fixedLimits.build = BuildLimits(nil, &random) }
            let path = directory.file(writer.rawValue)
            let report = try StoreConverter(
                sources: [.init(InMemoryStore(metadata: metadata, objects: objects), model: model)],
                target: .init(path: path, type: .sqlite, newStore: newStore(model)), options: options
            ).convert()
            #expect(report.writer == writer)
            texts.append(
                try BothWritersTests.sortedDump(of: path) + Self.joinRows(of: path)
                    + report.findings.map { "\($0.description.replacing(path, with: "new")) \($0.keys)" })
            try BothWritersTests.checkPages(of: path)
        }
        let isSame = texts[0] == texts[1]
        #expect(
            isSame, "seed \(seed) \(zip(texts[0], texts[1]).first { $0 != $1 } as Any), \(texts.map(\.count))")
    }
}
