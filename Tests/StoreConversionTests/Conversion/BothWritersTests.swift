import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import TestSupport
import Testing

@testable import StoreConversion

/// New stores that SQLite inserts into, and those that the builder writes, hold the same.
@Suite struct BothWritersTests {
    @Test(arguments: 0..<8)
    func storesOfRandomModelsAreTheSame(_ seed: Int) throws {
        let directory = try TemporaryDirectory()
        var random = RandomModel(seed: UInt64(seed + 100))
        var model = random.model()
        let invented: [AttributeType] = [.objectID, .undefined]
        for index in model.entities.indices {
            model.entities[index].attributes.removeAll { invented.contains($0.type) }
        }
        let resolved = try ResolvedModel(model)
        var content = RandomContent(model: resolved, seed: UInt64(seed))
        let path = directory.file("source.sqlite")
        try StoreWriter().write(content.content(upTo: 40), of: resolved, to: path)
        try convert([path], to: .xml, directory.file("source.xml"), resolved)
        var sizes = RandomNumbers(seed: UInt64(seed))
        for source in ["source.sqlite", "source.xml"] {
            for keepsIDs in [true, false] {
                try Self.compare(directory.file(source), resolved, keepsIDs: keepsIDs, in: directory, &sizes)
            }
        }
    }

    /// Converts a store with both writers.
    private static func compare(
        _ source: String, _ model: ResolvedModel, keepsIDs: Bool, in directory: TemporaryDirectory,
        _ random: inout RandomNumbers
    ) throws {
        var texts: [[String]] = []
        for writer in [NewStoreWriter.sqlite, .builder] {
            let folder = directory.file("\(FileSystem.name(of: source))-\(writer.rawValue)-\(keepsIDs)")
            let limits = BuildLimits(nil, &random)
            try FileSystem.createDirectory(folder)
            let path = folder + "/new"
            let report = try convert([source], to: .sqlite, path, model) {
                $0.writer = writer
                $0.keepsIDs = keepsIDs
                $0.fixedLimits.build = limits
            }
            #expect(report.writer == writer)
            texts.append(try sortedDump(of: path) + report.findings.map { $0.description.replacing(path, with: "new") })
            try checkPages(of: path)
        }
        expectEqual(texts)
    }

    /// The texts are long: only what differs is shown.
    private static func expectEqual(_ texts: [[String]]) {
        let isEqual = texts[0] == texts[1]
        #expect(isEqual, "\(zip(texts[0], texts[1]).first { $0 != $1 } as Any)")
    }

    /// All rows and all statements, sorted; what differs in every file is left out.
    static func sortedDump(of path: String) throws -> [String] {
        let connection = try Connection(path: path, access: .readOnly)
        var lines = try connection.rows("SELECT type, name, sql FROM sqlite_schema").map { "\($0.map(\.literal))" }
        for table in try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
            let name = SQLiteIdentifier.quoted(table[0].string ?? "")
            lines += try connection.rows("SELECT * FROM \(name)").map { "\(name) \($0.map(\.literal))" }
        }
        return lines.sorted()
    }

    static func checkPages(of path: String) throws {
        let connection = try Connection(path: path, access: .readOnly)
        #expect(try connection.value("PRAGMA integrity_check").string == "ok")
        #expect(try connection.rows("PRAGMA foreign_key_check").isEmpty)
    }

    // MARK: Order

    private static func people() throws -> ResolvedModel {
        try ResolvedModel(
            ManagedObjectModel(entities: [
                entity(
                    "Person", [attribute("name")],
                    [
                        relationship("boss", to: "Person", inverse: "staff"),
                        relationship("staff", to: "Person", inverse: "boss", many: true, ordered: true),
                        relationship("friends", to: "Person", inverse: "friends", many: true),
                    ])
            ]))
    }

    private static func store(_ keys: [Int64], _ model: ResolvedModel) -> InMemoryStore {
        let form = ObjectForms(model).entities[0]
        let objects = keys.map { key in
            var object = StoredObject()
            object.begin(form, key: key)
            object.setValue(.string("person \(key)"), at: 0)
            object.appendRelationship(key > 1 ? [key / 2] : [])
            object.appendRelationship(key == 1 ? [3, 3, 2] : [])
            object.appendRelationship([2 * key, 2 * key + 1].reversed().filter { $0 <= Int64(keys.count) })
            return object
        }
        var metadata = newStore(model).metadata
        metadata.uuid = "51E57CC6-6B1F-4BD2-8C0B-7A0C4DD28F1C"
        return InMemoryStore(metadata: metadata, objects: objects)
    }

    @Test(arguments: [Array(1...200), Array(1...200).reversed(), Array(101...200) + Array(1...100)], [true, false])
    func objectsMayComeInAnyOrder(_ keys: [Int64], keepsIDs: Bool) throws {
        let directory = try TemporaryDirectory()
        let model = try Self.people()
        var texts: [[String]] = []
        for writer in [NewStoreWriter.sqlite, .builder] {
            var options = ConversionOptions()
            options.writer = writer
            options.keepsIDs = keepsIDs
            let path = directory.file(writer.rawValue)
            _ = try StoreConverter(
                sources: [.init(Self.store(keys, model), model: model)],
                target: .init(path: path, type: .sqlite, newStore: newStore(model)), options: options
            ).convert()
            texts.append(try Self.sortedDump(of: path))
            try Self.checkPages(of: path)
        }
        Self.expectEqual(texts)
    }

    /// Rows that came late stand where they would in order, byte for byte, and so do the entries of indexes.
    @Test(arguments: 1...12, [true, false])
    func theOrderOfObjectsChangesNothing(_ seed: Int, keepsIDs: Bool) throws {
        let directory = try TemporaryDirectory()
        var random = RandomNumbers(seed: UInt64(seed))
        let model = try ResolvedModel(
            ManagedObjectModel(entities: [
                entity(
                    "Person", [attribute("name")],
                    [
                        relationship("boss", to: "Person", inverse: "staff"),
                        relationship("staff", to: "Person", inverse: "boss", many: true),
                    ])
            ]))
        let form = ObjectForms(model).entities[0]
        let count = Int64.random(in: 2...2000, using: &random)
        let objects = (1...count).map { key in
            var object = StoredObject()
            object.begin(form, key: 3 * key)
            // One in forty does not fit into a page.
            object.setValue(
                .string(
                    String(
                        repeating: "person \(key) ",
                        count: Int.random(in: 0..<40, using: &random) == 0 ? 900 : Int(key % 9))),
                at: 0)
            object.appendRelationship(key > 1 ? [key / 2 * 3] : [])
            object.appendRelationship([2 * key, 2 * key + 1].filter { $0 <= count }.map { 3 * $0 })
            return object
        }
        var metadata = newStore(model).metadata
        metadata.uuid = "51E57CC6-6B1F-4BD2-8C0B-7A0C4DD28F1C"
        func make(_ objects: [StoredObject], _ name: String, _ limits: ConversionLimits = .init()) throws -> String {
            var options = ConversionOptions()
            options.writer = .builder
            options.keepsIDs = keepsIDs
            options.fixedLimits = limits
            let path = directory.file(name)
            _ = try StoreConverter(
                sources: [.init(InMemoryStore(metadata: metadata, objects: objects), model: model)],
                target: .init(path: path, type: .sqlite, newStore: newStore(model)), options: options
            ).convert()
            return path
        }
        let expected = try make(objects, "in order")
        try Self.checkPages(of: expected)
        var limits = ConversionLimits()
        limits.build = BuildLimits(nil, &random)
        var shuffled = objects
        // A few that come late, or all.
        if seed % 2 == 0 {
            shuffled.shuffle(using: &random)
        } else {
            for _ in 0..<3 {
                shuffled.swapAt(
                    Int.random(in: 0..<objects.count, using: &random),
                    Int.random(in: 0..<objects.count, using: &random))
            }
        }
        let found = try make(shuffled, "in another order", limits)
        let isSame = try #require(WholeFile.read(expected)) == #require(WholeFile.read(found))
        #expect(isSame, "seed \(seed), \(objects.count) objects")
    }

    @Test(arguments: [[1, 2, 3, 2, 4], [1, 2, 2], [5, 4, 4, 6], [5, 4, 6, 4]] as [[Int64]])
    func aKeyThatTwoObjectsHaveIsAnErrorWithEitherWriter(_ keys: [Int64]) throws {
        let directory = try TemporaryDirectory()
        let model = try Self.people()
        let twice = try #require(keys.first { key in keys.count { $0 == key } == 2 })
        for writer in [NewStoreWriter.sqlite, .builder] {
            var options = ConversionOptions()
            options.writer = writer
            #expect(
                throws: ConversionError(.duplicateKey(entity: "Person", key: twice), path: "memory")
            ) {
                try StoreConverter(
                    sources: [.init(Self.store(keys, model), model: model)],
                    target: .init(path: directory.file("new"), type: .sqlite, newStore: newStore(model)),
                    options: options
                ).convert()
            }
            #expect(try FileSystem.names(in: FileSystem.directory(of: directory.file("new"))).isEmpty)
        }
    }

    // MARK: Pages

    @Test func thePagesOfABuiltStoreAreFull() throws {
        let directory = try TemporaryDirectory()
        let model = try PeopleModel.resolved()
        let form = ObjectForms(model).entities[0]
        let objects = (1...Int64(20_000)).map { key in
            var object = StoredObject()
            object.begin(form, key: key)
            object.setValue(.string("person number \(key)"), at: 0)
            object.appendRelationship(key > 1 ? [key / 2] : [])
            object.appendRelationship([2 * key, 2 * key + 1].filter { $0 <= 20_000 })
            return object
        }
        var fills: [NewStoreWriter: [String: Double]] = [:]
        for writer in [NewStoreWriter.sqlite, .builder] {
            var options = ConversionOptions()
            options.writer = writer
            let path = directory.file(writer.rawValue)
            _ = try StoreConverter(
                sources: [.init(InMemoryStore(metadata: newStore(model).metadata, objects: objects), model: model)],
                target: .init(path: path, type: .sqlite, newStore: newStore(model)), options: options
            ).convert()
            let connection = try Connection(path: path, access: .readOnly)
            for row in try connection.rows(
                "SELECT name, 1.0 - sum(unused) * 1.0 / sum(pgsize) FROM dbstat WHERE name LIKE 'ZPERSON%' GROUP BY name"
            ) {
                guard case .real(let fill) = row[1] else { continue }
                fills[writer, default: [:]][row[0].string ?? ""] = fill
            }
        }
        let built = try #require(fills[.builder])
        #expect(built.count == 2)
        for (name, fill) in built {
            #expect(fill > 0.95, "\(name) is filled to \(fill)")
            #expect(fill >= (fills[.sqlite]?[name] ?? 0) - 0.01, "\(fills)")
        }
    }
}
