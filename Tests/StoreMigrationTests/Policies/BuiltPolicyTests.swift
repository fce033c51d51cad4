import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess
import Synchronization
import TestSupport
import Testing

@testable import StoreMigration

/// Objects of policies that are appended to a file which is built are those that SQLite writes, whatever the policies
/// ask for in between.
@Suite(.serialized) struct BuiltPolicyTests {
    private static func entities(_ extra: [AttributeDescription]) -> [EntityDescription] {
        [
            entity(
                "Book", [attribute("cover", .binaryData), attribute("pages", .integer32), attribute("title")] + extra,
                [relationship("shelf", to: "Shelf", inverse: "books"), relationship("sequel", to: "Book")]),
            entity("Novel", parent: "Book", [attribute("year", .integer16)]),
            entity("Tag", [attribute("name")]),
            entity(
                "Shelf", [attribute("name")],
                [relationship("books", to: "Book", inverse: "shelf", many: true, ordered: true)]),
        ]
    }

    private func store() throws -> TestStore {
        try TestStore(
            from: Self.entities([]), to: Self.entities([attribute("label"), attribute("price", .decimal)]),
            rows: """
                INSERT INTO ZSHELF (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'top'), (2, 3, 1, 'low');
                WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 60)
                INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZPAGES, ZTITLE, ZCOVER, ZSHELF, Z_FOK_SHELF, ZSEQUEL, Z1_SEQUEL, ZYEAR)
                SELECT n * 3, iif(n % 5, 1, 2), 1, n * 7, 'book ' || n, zeroblob(n * n), n % 2 + 1, 4096 - n,
                iif(n % 4, NULL, 3), iif(n % 4, NULL, 1), iif(n % 5, NULL, 1900 + n) FROM i;
                """)
    }

    /// Does with each source what numbers at random say; several policies take turns with the numbers.
    final class Anything: EntityMigrationPolicy {
        static let setting = Mutex((seed: UInt64(0), things: 0))
        private var random = RandomNumbers(seed: 0)
        private var things = 0
        private var kept: [DestinationObject] = []

        private func chance(_ whole: Int) -> Bool { Int.random(in: 0..<whole, using: &random) == 0 }

        override func begin(_ context: MigrationContext) throws {
            let (seed, things) = Self.setting.withLock { $0 }
            random = RandomNumbers(seed: seed &+ UInt64(context.mapping.name.utf8.count))
            self.things = things
            if chance(40) { _ = try context.find("Tag", where: ["name": .string("none")]) }
        }

        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            if chance(9) { return }
            let object = try context.createDestinationInstance(for: source)
            let hasTitle = source.attributeNames.contains("title")
            if hasTitle, chance(2) { try object.set("label", to: .string("of \(try source.integer("pages") ?? 0)")) }
            if hasTitle, chance(5) { try object.set("price", to: .decimal("12.50")) }
            if hasTitle, chance(6) { try object.set("cover", to: nil) }
            // Each of these is a reason of its own to leave the builder, and comes up late or never.
            guard chance(12) else { return }
            switch Int.random(in: 0..<max(1, things), using: &random) {
            case 1: kept.append(object)
            case 2: try kept.first?.set(hasTitle ? "title" : "name", to: .string("changed"))
            case 3: #expect(try object.value(hasTitle ? "title" : "name") == source.value(hasTitle ? "title" : "name"))
            case 4: try context.insert("Tag").set("name", to: .string("tag"))
            case 5: try context.insert("Novel").set("title", to: .string("inserted"))
            case 6:
                try context.createDestinationInstance(for: source).set(
                    hasTitle ? "title" : "name", to: .string("twice"))
            case 7: try context.associate(source, with: context.insert(hasTitle ? "Novel" : "Shelf"))
            case 8:
                let (tag, isNew) = try context.findOrInsert("Tag", where: ["name": .string("one")])
                if !isNew { try tag.set("name", to: .string("one")) }
            case 9: if hasTitle { try object.relate("sequel", to: object) }
            case 10: #expect(try context.destinationObjects(for: [source.objectID])[0].contains(object.objectID))
            case 11: #expect(try context.sourceObjects(for: [object.objectID])[0].contains(source.objectID))
            case 12: #expect(try context.destinationObject(object.objectID)?.objectID == object.objectID)
            case 13: #expect(try kept.first.map { try $0.value(hasTitle ? "title" : "name") != nil } ?? true)
            case 14: #expect(try source.related(hasTitle ? "shelf" : "books").count > 0)
            case 15:
                let id = ManagedObjectID(storeUUID: TestStore.uuid, entityName: "Shelf", primaryKey: 1)
                #expect(try context.sourceObject(id)?.string("name") == "top")
            default: break
            }
        }

        override func createRelationships(
            for destination: DestinationObject, of source: SourceObject, in context: MigrationContext
        ) throws {
            if !chance(7) { context.createMappedRelationships(for: destination) }
            if chance(30), source.entityName != "Shelf" { try destination.set("label", to: .string("related")) }
            // Pairs that follow from the keys are found, and noted once more while they are read.
            if chance(30) {
                #expect(try context.sourceObjects(for: [destination.objectID])[0].contains(source.objectID))
            }
            if things > 0, chance(20) { try context.associate(source, with: destination) }
        }
    }

    private static func mapping(_ names: [String]) -> MappingModel {
        let generated = { PropertyMapping(name: $0, isExpressionGenerated: true) }
        return MappingModel(
            entityMappings: ["Book", "Novel", "Shelf"].map { name in
                EntityMapping(
                    name: name + "s", type: .undefined, sourceEntityName: name, destinationEntityName: name,
                    relationshipMappings: (name == "Shelf" ? ["books"] : ["shelf", "sequel"]).map(generated),
                    migrationPolicyClassName: names.contains(name) ? "App.Anything" : nil)
            })
    }

    private func content(
        _ writer: NewStoreWriter, _ names: [String], rows: Int, keyRuns: Int = 1 << 12
    ) throws -> (content: [String: [[SQLiteValue]]], report: [String]) {
        let store = try store()
        var policies = PolicyRegistry()
        policies.register(Anything.self, as: "App.Anything")
        var options = MigrationOptions(limits: BatchLimits(rows: rows), verifiesFully: true)
        options.writer = writer
        options.fixedLimits.madeKeyRuns = keyRuns
        let report = try store.migrate(by: Self.mapping(names), policies, options: options)
        return (
            try databaseContent(store.path),
            report.entities.map { "\($0.mapping): \($0.read ?? -1) \($0.written ?? -1)" }
        )
    }

    @Test(arguments: 1...24)
    func whatAPolicyAsksForChangesNothing(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let names = ["Book", "Novel", "Shelf"].filter { _ in Bool.random(using: &random) }
        let rows = [1, 2, 7, 1000].randomElement(using: &random) ?? 1
        // The first ones ask for nothing, so that all is built.
        Anything.setting.withLock { $0 = (UInt64(seed), seed <= 6 ? 0 : 16) }
        // Between two keys are always others: beyond the limit, pairs are read.
        let built = try content(.auto, names, rows: rows, keyRuns: [0, 9, 1 << 12].randomElement(using: &random) ?? 0)
        let written = try content(.sqlite, names, rows: rows)
        #expect(built.content == written.content)
        #expect(built.report == written.report)
        #expect((written.content["ZBOOK"]?.count ?? 0) > 20)
    }

    @Test func policiesInSwiftAreBuiltWhereTheirObjectsAreTheFirstOfTheirTable() throws {
        func built(_ names: [String]) throws -> Int {
            var policies = PolicyRegistry()
            policies.register(Anything.self, as: "App.Anything")
            let plan = try store().plan(by: Self.mapping(names), .refuse, policies: policies)
            return BuildableSteps(try #require(plan.program)).policies.count
        }
        #expect(try built(["Shelf"]) == 1, "books are linked to shelves later")
        #expect(try built(["Book", "Shelf"]) == 0, "the mapping of novels fills the table of books, too")
        #expect(try built(["Book", "Novel"]) == 1)
        #expect(try built(["Book", "Novel", "Shelf"]) == 1, "novels lie in between")
    }

    /// Writes down all that it reads.
    final class Reader: EntityMigrationPolicy {
        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            let object = try context.createDestinationInstance(for: source)
            let read = try source.attributeNames.map { name in
                "\(name): \(String(describing: try source.value(name))), \(try source.string(name) ?? "-"), "
                    + "\(try source.integer(name) ?? -1), \(try source.real(name) ?? -1), "
                    + String(describing: try object.value(name))
            }
            try object.set("label", to: .string(read.joined(separator: "; ")))
            if try source.integer("number") == 4 { try object.set("number", to: nil) }
        }
    }

    /// Columns hold what their types do not promise, and the last one is missing in the records.
    @Test(arguments: [3, 1000])
    func whatIsReadAheadIsWhatSQLiteReads(rows: Int) throws {
        let types: [(String, AttributeType)] = [
            ("amount", .decimal), ("flag", .boolean), ("date", .date), ("data", .binaryData), ("link", .uri),
            ("number", .integer32), ("real", .double), ("short", .float), ("text", .string), ("key", .uuid),
        ]
        let old = types.map { attribute($0, $1) }
        func content(_ writer: NewStoreWriter) throws -> [String: [[SQLiteValue]]] {
            let store = try TestStore(
                from: [entity("Thing", old), entity("Part", parent: "Thing", [attribute("size", .integer16)])],
                to: [
                    entity("Thing", old + [attribute("label")]),
                    entity("Part", parent: "Thing", [attribute("size", .integer16)]),
                ],
                rows: """
                    WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 90),
                    v(n, x) AS (SELECT n, CASE n % 9 WHEN 0 THEN NULL WHEN 1 THEN n WHEN 2 THEN n / 4.0
                        WHEN 3 THEN 'text ' || n WHEN 4 THEN CAST(n AS TEXT) WHEN 5 THEN x''
                        WHEN 6 THEN CAST(x'31' || n AS BLOB) WHEN 7 THEN -n * 1000000000000 ELSE n * 1.0 END FROM i)
                    INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZAMOUNT, ZFLAG, ZDATE, ZDATA, ZLINK, ZNUMBER, ZREAL, ZSHORT,
                        ZTEXT, ZKEY) SELECT n * 2, iif(n % 7, 1, 2), 1, x, n % 2, n * 0.5, x, x, n % 6, x, x, x, x FROM v;
                    """)
            var policies = PolicyRegistry()
            policies.register(Reader.self, as: "App.Reader")
            var options = MigrationOptions(limits: BatchLimits(rows: rows), verifiesFully: true)
            options.writer = writer
            let mapping = MappingModel(
                entityMappings: ["Thing", "Part"].map { name in
                    EntityMapping(
                        name: name, type: .undefined, sourceEntityName: name, destinationEntityName: name,
                        migrationPolicyClassName: name == "Thing" ? "App.Reader" : nil)
                })
            try store.migrate(by: mapping, policies, options: options)
            return try databaseContent(store.path)
        }
        let built = try content(.auto)
        #expect(try built == content(.sqlite))
        #expect(built["ZTHING"]?.count == 90)
    }
}
