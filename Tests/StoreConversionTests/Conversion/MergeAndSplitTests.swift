import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import TestSupport
import Testing

@testable import StoreConversion

@Suite struct MergeAndSplitTests {
    private static func model(unique: Bool = false) throws -> ResolvedModel {
        var model = ManagedObjectModel(entities: [
            entity(
                "Person", unique: unique ? [["name"]] : [], [attribute("name")],
                [
                    relationship("boss", to: "Person", inverse: "staff"),
                    relationship("staff", to: "Person", inverse: "boss", many: true),
                ]),
            entity("Log", [attribute("text")]),
        ])
        model.configurations = [ConfigurationDescription(name: "Local", entityNames: ["Log"])]
        return try ResolvedModel(model)
    }

    /// Persons of whom each is the boss of the next, and a log.
    private static func store(_ names: [String], _ model: ResolvedModel, to path: String) throws {
        let forms = ObjectForms(model)
        var objects: [StoredObject] = []
        let person = try #require(forms.entities.first { $0.name == "Person" })
        for (index, name) in names.enumerated() {
            var object = StoredObject()
            object.begin(person, key: Int64(index + 1))
            object.setValue(.string(name), at: 0)
            object.appendRelationship(index > 0 ? [Int64(index)] : [])
            object.appendRelationship(index + 1 < names.count ? [Int64(index + 2)] : [])
            objects.append(object)
        }
        var log = StoredObject()
        log.begin(try #require(forms.entities.first { $0.name == "Log" }), key: 1)
        objects.append(log)
        _ = try StoreConverter(
            sources: [.init(InMemoryStore(metadata: newStore(model).metadata, objects: objects), model: model)],
            target: .init(path: path, type: .sqlite, newStore: newStore(model))
        ).convert()
    }

    @Test(arguments: [PersistentStoreType.sqlite, .xml, .binary])
    func storesBecomeOneWithNewKeys(_ type: PersistentStoreType) throws {
        let directory = try TemporaryDirectory()
        let model = try Self.model()
        try Self.store(["a", "b"], model, to: directory.file("1.sqlite"))
        try Self.store(["c", "d", "e"], model, to: directory.file("2.sqlite"))
        try convert([directory.file("2.sqlite")], to: .xml, directory.file("2.xml"), model)
        let target = directory.file("all")
        let report = try convert([directory.file("1.sqlite"), directory.file("2.xml")], to: type, target, model)
        #expect(report.objects == 7)
        #expect(report.findings.map(\.code) == [.keysChanged])
        let listing = try ObjectListing(of: target, model: model)
        #expect(
            listing.lines.filter { $0.hasPrefix("Person") } == [
                "Person name='a' boss->[] staff->[3]", "Person name='b' boss->[2] staff->[]",
                "Person name='c' boss->[] staff->[5]", "Person name='d' boss->[4] staff->[6]",
                "Person name='e' boss->[5] staff->[]",
            ])
    }

    /// Objects of stores with one numbering for all get new keys: in each table those of a store follow those of the store
    /// before, in the order of the old ones, whatever is kept in memory.
    @Test(arguments: RandomNumbers.seeds(16), [NewStoreWriter.sqlite, .builder])
    func objectsOfSeveralNumberingsGetNewKeysInOrder(seed: Int, writer: NewStoreWriter) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let directory = try TemporaryDirectory()
        let model = try Self.model()
        let forms = ObjectForms(model)
        // By store, the keys of persons and logs in the order of the objects.
        let stores = (0..<Int.random(in: 1...3, using: &random)).map { _ -> [(key: Int64, isPerson: Bool)] in
            let highest: Int64 = [150, 1 << 40].randomElement(using: &random) ?? 150
            let keys = Set((0..<100).map { _ in Int64.random(in: 1...highest, using: &random) })
            return keys.sorted().shuffled(using: &random).map { ($0, Bool.random(using: &random)) }
        }
        let sources = stores.enumerated().map { place, objects in
            let persons = objects.filter(\.isPerson).map(\.key)
            var metadata = newStore(model).metadata
            metadata.uuid = "51E57CC6-6B1F-4BD2-8C0B-7A0C4DD28F1\(place)"
            return StoreConverter.Source(
                InMemoryStore(
                    metadata: metadata,
                    objects: objects.compactMap { key, isPerson in
                        guard let form = forms.entities.first(where: { $0.name == (isPerson ? "Person" : "Log") })
                        else { return nil }
                        var object = StoredObject()
                        object.begin(form, key: key)
                        object.setValue(.string("\(place) \(key)"), at: 0)
                        // Each person's boss is the one before.
                        if isPerson, let index = persons.firstIndex(of: key) {
                            object.appendRelationship(index > 0 ? [persons[index - 1]] : [])
                            object.appendRelationship(index + 1 < persons.count ? [persons[index + 1]] : [])
                        }
                        return object
                    }), model: model)
        }
        var expected: [String: [[String]]] = [:]
        for isPerson in [true, false] {
            var last: Int64 = 0
            var rows: [[String]] = []
            for (place, objects) in stores.enumerated() {
                let keys = objects.filter { $0.isPerson == isPerson }.map(\.key)
                let new = Dictionary(
                    uniqueKeysWithValues: keys.sorted().enumerated().map { ($1, last + Int64($0) + 1) })
                for (index, key) in keys.enumerated() {
                    let boss = isPerson && index > 0 ? new[keys[index - 1]] : nil
                    rows.append(
                        ["\(new[key] ?? 0)", "'\(place) \(key)'"] + (isPerson ? [boss.map { "\($0)" } ?? "NULL"] : []))
                }
                last += Int64(keys.count)
            }
            expected[isPerson ? "Person" : "Log"] = rows.sorted { $0[1] < $1[1] }
        }
        var options = ConversionOptions()
        options.writer = writer
        options.fixedLimits.build = BuildLimits(nil, &random)
        options.idMap = directory.file("map.csv")
        _ = try StoreConverter(
            sources: sources,
            target: .init(path: directory.file("all"), type: .sqlite, newStore: newStore(model)), options: options
        ).convert()
        let connection = try Connection(path: directory.file("all"), access: .readOnly)
        let persons = try connection.rows("SELECT Z_PK, ZNAME, ZBOSS FROM ZPERSON ORDER BY ZNAME")
        let logs = try connection.rows("SELECT Z_PK, ZTEXT FROM ZLOG ORDER BY ZTEXT")
        #expect(persons.map { $0.map(\.literal) } == expected["Person"], "seed \(seed)")
        #expect(logs.map { $0.map(\.literal) } == expected["Log"], "seed \(seed)")
        // The table of keys names all objects in the order of the sources.
        let map = try #require(WholeFile.read(directory.file("map.csv")))
        let lines = String(decoding: map, as: UTF8.self).split(separator: "\n").dropFirst().map { line in
            line.split(separator: ",").suffix(3).map(String.init)
        }
        let pairs = stores.enumerated().flatMap { place, objects in
            objects.map { key, isPerson in
                let entity = isPerson ? "Person" : "Log"
                let new = expected[entity]?.first { $0[1] == "'\(place) \(key)'" }?[0] ?? ""
                return [entity, "\(key)", new]
            }
        }
        #expect(lines == pairs, "seed \(seed)")
    }

    @Test func objectsThatMustNotBothBeThereAreNamed() throws {
        let directory = try TemporaryDirectory()
        let model = try Self.model(unique: true)
        try Self.store(["a", "b"], model, to: directory.file("1.sqlite"))
        try Self.store(["b", "c"], model, to: directory.file("2.sqlite"))
        let error = #expect(throws: ConversionError.self) {
            try convert(
                [directory.file("1.sqlite"), directory.file("2.sqlite")], to: .sqlite, directory.file("all"), model)
        }
        #expect(error?.cocoaCode == 133021)
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("2 objects have 'b'"))
        for (name, key) in [("1.sqlite", 2), ("2.sqlite", 1)] {
            let uuid = try SQLiteStore(path: directory.file(name)).metadata.uuid
            #expect(text.contains("x-coredata://\(uuid)/Person/p\(key) of \(directory.file(name))"), "\(text)")
        }
        #expect(!FileSystem.exists(directory.file("all")))
    }

    @Test func aConfigurationsObjectsGoOverAlone() throws {
        let directory = try TemporaryDirectory()
        let model = try Self.model()
        try Self.store(["a", "b"], model, to: directory.file("1.sqlite"))
        var part = model.model
        part.entities.removeAll { $0.name != "Log" }
        let partModel = try ResolvedModel(part)
        let report = try convert(
            [directory.file("1.sqlite")], to: .xml, directory.file("log.xml"), model, of: partModel)
        #expect(report.findings.map(\.code) == [.keysChanged, .outsideConfiguration])
        #expect(try ObjectListing(of: directory.file("log.xml"), model: partModel).lines == ["Log text=NULL"])
    }

    @Test func keysAndUUIDStayWhereAsked() throws {
        let directory = try TemporaryDirectory()
        let model = try Self.model()
        try Self.store(["a", "b"], model, to: directory.file("1.sqlite"))
        // Both tables have a key 1, and an XML store has one numbering.
        #expect(throws: ConversionError(.sharedKey(1), path: directory.file("1.sqlite"))) {
            try convert([directory.file("1.sqlite")], to: .xml, directory.file("1.xml"), model) { $0.keepsIDs = true }
        }
        try convert([directory.file("1.sqlite")], to: .xml, directory.file("1.xml"), model)
        try convert([directory.file("1.xml")], to: .sqlite, directory.file("2.sqlite"), model) { $0.keepsIDs = true }
        try convert([directory.file("2.sqlite")], to: .binary, directory.file("2.bin"), model) {
            $0.keepsIDs = true
            $0.idMap = directory.file("map.csv")
        }
        let stores = try ["1.xml", "2.sqlite", "2.bin"].map {
            try InMemoryStore(path: directory.file($0), model: model)
        }
        #expect(Set(stores.map(\.metadata.uuid)).count == 1)
        #expect(Set(stores.map { Set($0.objects.map(\.key)) }) == [[102, 103, 104]])
        let map = try #require(WholeFile.read(directory.file("map.csv")))
        #expect(String(decoding: map, as: UTF8.self).split(separator: "\n").count == 4)
    }
}
