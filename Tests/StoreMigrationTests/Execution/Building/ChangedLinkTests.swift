import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreMigration

/// Links that only the mappings of other objects specify, and places that are counted, are the same whether rows are
/// built with them or SQLite changes the rows.
@Suite struct ChangedLinkTests {
    /// What the builder writes, and what SQLite does; nil if the migration is refused or fails.
    private static func content(
        _ writer: NewStoreWriter, _ mapping: MappingModel, _ options: MigrationOptions, _ store: TestStore
    ) throws -> [String: [[SQLiteValue]]]? {
        let path = store.directory.file("\(writer).sqlite")
        var options = options
        options.writer = writer
        options.verifiesFully = true
        let plan = try store.plan(by: mapping, .report, at: .output(path))
        guard !plan.isRefused else { return nil }
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
        do {
            _ = try MigrationManager(options: options).execute(plan, unchangedSince: fingerprint)
        } catch let error as MigrationError {
            switch error.code {
            // Values may not be unique, and values or links may not be allowed.
            case .constraint, .refused, .invalid: return nil
            default: throw error
            }
        }
        return try databaseContent(path)
    }

    /// Leaves out some relationships, makes some objects twice or never, and unites some.
    private static func vary(
        _ mapping: inout MappingModel, _ old: ManagedObjectModel, _ random: inout RandomNumbers
    ) {
        func chance(_ whole: Int) -> Bool { Int.random(in: 0..<whole, using: &random) == 0 }
        var others: [EntityMapping] = []
        for index in mapping.entityMappings.indices where mapping.entityMappings[index].type != .remove {
            mapping.entityMappings[index].relationshipMappings.removeAll { _ in chance(3) }
            let entity = mapping.entityMappings[index]
            let text = old.entities.first { $0.name == entity.sourceEntityName }?.attributes.first {
                $0.type == .string && !$0.isTransient
            }
            if let text, chance(4) {
                mapping.entityMappings[index].sourceFilter = "\(text.name) == NULL OR \(text.name) < \"m\""
            }
            if let name = entity.attributeMappings.first(where: { $0.valueExpression != nil })?.name, chance(5) {
                mapping.entityMappings[index].identity = MappingIdentity(attributes: [name])
            }
            guard entity.sourceEntityName != nil, chance(2) else { continue }
            var other = entity
            other.name += " again"
            other.sourceFilter = chance(2) ? "1 == 0" : nil
            others.append(other)
        }
        mapping.entityMappings += others
    }

    @Test(.long) func theyAreThoseThatSQLiteChanges() throws {
        let seeds = RandomNumbers.seeds(160)
        var (compared, changed) = (0, 0)
        for number in seeds {
            let seed = UInt64(number)
            var random = RandomNumbers(seed: seed)
            var models = RandomModel(seed: seed)
            let old = models.model()
            let new = models.laterVersion(of: old)
            var writer = StoreWriter()
            writer.encoding = [.utf8, .utf16LittleEndian, .utf8, .utf16BigEndian][number % 4]
            let store = try TestStore(from: old, to: new, writer: writer, content: seed &* 13 &+ 1, upTo: 14)
            if Bool.random(using: &random) { try store.addHistory(&random) }
            var mapping = store.inferred.editableModel
            Self.vary(&mapping, old, &random)
            guard let plan = try? store.plan(by: mapping, .report), let program = plan.program else { continue }
            let size = [nil, 1, 2, 3, 7].randomElement(using: &random) ?? nil
            let options = MigrationOptions.limited(size, &random)
            let written = try Self.content(.sqlite, mapping, options, store)
            let built = try Self.content(.auto, mapping, options, store)
            try #require((built == nil) == (written == nil), "seed \(seed)")
            guard let built, let written else { continue }
            compared += 1
            if !BuildableSteps(program).links.isEmpty { changed += 1 }
            for (table, rows) in written { try #require(built[table] == rows, "seed \(seed), \(table)") }
            try #require(built.count == written.count, "seed \(seed)")
        }
        #expect(compared > seeds.count / 3)
        #expect(changed > seeds.count / 5)
    }

    private static let model = [
        entity(
            "City", [attribute("name")],
            [
                relationship("mayor", to: "Person", inverse: "governs"),
                relationship("people", to: "Person", inverse: "city", many: true, ordered: true),
                relationship("visits", to: "Person", many: true, ordered: true),
            ]),
        entity(
            "Person", [attribute("name")],
            [
                relationship("city", to: "City", inverse: "people"),
                relationship("governs", to: "City", inverse: "mayor"),
            ]),
        entity("Clerk", parent: "Person"),
    ]

    /// Only cities name their people. A person may be named by several cities, or by none.
    private func store(people: Int = 300) throws -> TestStore {
        try TestStore(
            from: Self.model,
            to: Self.model.map { description in
                var description = description
                if description.name == "City" { description.attributes.append(attribute("note")) }
                return description
            },
            rows: """
                INSERT INTO ZCITY (Z_PK, Z_ENT, Z_OPT, ZNAME, ZMAYOR, Z2_MAYOR) VALUES (1, 1, 1, 'a', 2, 3),
                (2, 1, 1, 'b', 1, 2), (3, 1, 1, 'c', NULL, NULL);
                WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < \(people))
                INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCITY, Z_FOK_CITY, ZGOVERNS)
                SELECT n - 3, iif(n % 5, 2, 3), 1, 'p' || n, nullif(n % 4, 0), 900000 - n,
                CASE n WHEN 5 THEN 1 WHEN 4 THEN 2 END FROM i;
                """)
    }

    private func mapping() -> MappingModel {
        let generated = { PropertyMapping(name: $0, isExpressionGenerated: true) }
        func entity(_ name: String, _ number: Int, _ relationships: [String], filter: String?) -> EntityMapping {
            EntityMapping(
                name: "\(name) \(number)", type: .undefined, sourceEntityName: name, destinationEntityName: name,
                attributeMappings: [generated("name")], relationshipMappings: relationships.map(generated),
                sourceFilter: filter)
        }
        return MappingModel(entityMappings: [
            entity("City", 1, ["people", "mayor", "visits"], filter: "name != \"b\""),
            entity("City", 2, ["people", "mayor"], filter: "name == \"b\""),
            entity("Person", 1, [], filter: "name != \"p9\""), entity("Clerk", 1, [], filter: nil),
            entity("Person", 2, [], filter: "name == \"p9\" OR name == \"p11\""),
        ])
    }

    @Test(arguments: [1, 3, 1000])
    func whatOnlyListsNameIsBuilt(size: Int) throws {
        let store = try store()
        let mapping = mapping()
        let program = try #require(try store.plan(by: mapping, .refuse).program)
        let steps = BuildableSteps(program)
        #expect(!steps.links.isEmpty)
        #expect(
            program.steps.indices.allSatisfy { steps.all.contains($0) || program.steps[$0].phase != .relationships })
        // Also the indexes of tables whose links change.
        #expect(program.steps.indices.allSatisfy { steps.all.contains($0) || program.steps[$0].phase != .indexes })
        var random = RandomNumbers(seed: UInt64(size))
        let options = MigrationOptions.limited(size == 1000 ? nil : size, &random)
        let written = try #require(try Self.content(.sqlite, mapping, options, store))
        let built = try #require(try Self.content(.builder, mapping, options, store))
        for (table, rows) in written { #expect(built[table] == rows, "\(table)") }
        let governed = try store.rows(
            "SELECT count(*) FROM ZPERSON p JOIN ZCITY c ON c.Z_PK = p.ZGOVERNS AND c.ZMAYOR = p.Z_PK",
            at: store.directory.file("builder.sqlite"))
        #expect(governed == ["2"])
        let owned = try store.rows(
            "SELECT count(*), count(DISTINCT ZCITY), max(Z_FOK_CITY) FROM ZPERSON WHERE ZCITY IS NOT NULL",
            at: store.directory.file("builder.sqlite"))
        #expect(owned.first?.hasPrefix("2") ?? false)
    }

    /// What rows have is written in blocks of 4096 numbers, six for each row.
    @Test func blocksOfRowsAreCrossed() throws {
        let store = try store(people: 1600)
        let written = try #require(try Self.content(.sqlite, mapping(), MigrationOptions(), store))
        let built = try #require(try Self.content(.builder, mapping(), MigrationOptions(), store))
        #expect(written["ZPERSON"]?.count ?? 0 >= 1600)
        for (table, rows) in written { #expect(built[table] == rows, "\(table)") }
    }
}
