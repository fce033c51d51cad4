import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess
import Synchronization
import TestSupport
import Testing

@testable import StoreMigration

/// Links of objects that no policy makes are copied although policies make other objects, and policies may change them.
/// The tests are in this suite because its policy takes its seed from one place.
extension BuiltPolicyLinkTests {
    /// Keys of further objects depend on the number of mappings.
    private final class RelatingOnce: Relating {
        override var mayDouble: Bool { false }
    }

    /// The links in rows that the program selects.
    private static func selections(_ program: MigrationProgram) -> Set<String> {
        Set(
            program.steps.compactMap { step in
                switch step.linkChange?.kind {
                case .owners, .destinations: return "\(step.table): \(step.summary)"
                default: return nil
                }
            })
    }

    /// The mapping with a second one for each that no policy has, which makes no object. Links are selected then, because
    /// either could have made each object.
    private static func selecting(_ mapping: MappingModel) -> MappingModel {
        var result = mapping
        result.entityMappings += mapping.entityMappings.filter {
            $0.type != .remove && $0.sourceEntityName != nil && $0.migrationPolicyClassName == nil
        }.map(CopiedRelationshipTests.never)
        return result
    }

    @Test(.long) func copiedLinksAreThoseOfEachMapping() throws {
        let seeds = RandomNumbers.seeds(160)
        var policies = PolicyRegistry()
        policies.register(RelatingOnce.self, as: "App.Relating")
        var (compared, copied, saved, dangling) = (0, 0, 0, 0)
        for number in seeds {
            let seed = UInt64(number) &+ 30_000
            var random = RandomNumbers(seed: seed)
            func chance(_ whole: Int) -> Bool { Int.random(in: 0..<whole, using: &random) == 0 }
            var models = RandomModel(seed: seed)
            let old = models.model()
            let new = models.laterVersion(of: old)
            let store = try TestStore(from: old, to: new, writer: StoreWriter(), content: seed &* 13 &+ 1, upTo: 14)
            if chance(3) {
                let connection = try Connection(path: store.path, access: .readWrite)
                try registerCoreDataFunctions(connection)
                for table in LayoutPrediction.layout(of: store.source.model).tables where chance(2) {
                    try connection.execute("DELETE FROM \(table.name) WHERE Z_PK % 4 = \(random.next() % 4)")
                }
                try connection.close()
                dangling += 1
            }
            var mapping = store.inferred.editableModel
            let places = mapping.entityMappings.indices.filter {
                mapping.entityMappings[$0].sourceEntityName != nil && mapping.entityMappings[$0].type != .remove
            }
            guard places.count > 1, let first = places.randomElement(using: &random) else { continue }
            for index in places {
                mapping.entityMappings[index].relationshipMappings.removeAll { _ in chance(12) }
                guard index == first || chance(5) else { continue }
                mapping.entityMappings[index].migrationPolicyClassName = "App.Relating"
            }
            let selecting = Self.selecting(mapping)
            Relating.seed.withLock { $0 = seed }
            guard let program = try? store.plan(by: mapping, .report, policies: policies).program,
                let reference = try? store.plan(by: selecting, .report, policies: policies).program
            else { continue }
            let size = [nil, 1, 3, 1000].randomElement(using: &random) ?? nil
            let options = MigrationOptions.limited(size, &random)
            let found = try Self.comparedContent(mapping, options, store, policies, seed)
            let wanted = try Self.comparedContent(selecting, options, store, policies, seed)
            try #require((found == nil) == (wanted == nil), "seed \(seed)")
            guard let found, let wanted else { continue }
            for (table, rows) in wanted { try #require(found[table] == rows, "seed \(seed), \(table)") }
            try #require(found.count == wanted.count, "seed \(seed)")
            compared += 1
            if Self.selections(program).count < Self.selections(reference).count { saved += 1 }
            let joins = Set(store.joinTables)
            if program.steps.contains(where: { joins.contains($0.table) && $0.rows != nil }) { copied += 1 }
        }
        #expect(compared > seeds.count / 4)
        #expect(saved > compared / 5)
        #expect(copied > 0)
        #expect(dangling > 0)
    }

    // MARK: - What is copied

    private static let model = [
        entity(
            "Badge", [attribute("number", .integer32)],
            [
                relationship("holder", to: "Person", inverse: "badges"),
                relationship("rival", to: "Badge"),
            ]),
        entity(
            "City", [attribute("name")],
            [
                relationship("mayor", to: "Person", inverse: "governs"),
                relationship("people", to: "Person", inverse: "city", many: true, ordered: true),
                relationship("visits", to: "Person", many: true),
            ]),
        entity(
            "Person", [attribute("name")],
            [
                relationship("badges", to: "Badge", inverse: "holder", many: true),
                relationship("boss", to: "Person", inverse: "staff"),
                relationship("city", to: "City", inverse: "people"),
                relationship("governs", to: "City", inverse: "mayor"),
                relationship("staff", to: "Person", inverse: "boss", many: true),
                relationship("teams", to: "Team", inverse: "members", many: true),
            ]),
        entity(
            "Team", [attribute("name")], [relationship("members", to: "Person", inverse: "teams", many: true)]),
    ]

    /// Moves people, and makes badges of their own.
    private final class Moving: EntityMigrationPolicy {
        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            let badge = try context.createDestinationInstance(for: source)
            let key = source.objectID.primaryKey
            func object(_ name: String, _ key: Int64) -> ManagedObjectID {
                ManagedObjectID(storeUUID: TestStore.uuid, entityName: name, primaryKey: key)
            }
            switch key % 7 {
            case 0: try context.destinationObject(object("Person", key))?.relate("city", to: [object("City", 2)])
            case 1: try context.destinationObject(object("City", 3))?.add("people", [object("Person", key)])
            case 2: try context.destinationObject(object("Person", key))?.relate("teams", to: [object("Team", 1)])
            case 3 where key < 20:
                try context.destinationObject(object("City", 1))?.relate("mayor", to: [object("Person", key)])
            case 4: try context.destinationObject(object("Person", key))?.relate("boss", to: [])
            case 5: try context.destinationObject(object("City", 2))?.add("visits", [object("Person", key)])
            default: try badge.relate("rival", to: badge)
            }
        }
    }

    private static func store(people: Int) throws -> TestStore {
        try TestStore(
            from: model,
            to: model.map { description in
                var description = description
                description.attributes.append(attribute("note"))
                return description
            },
            rows: """
                INSERT INTO ZCITY (Z_PK, Z_ENT, Z_OPT, ZNAME, ZMAYOR) VALUES (1, 2, 1, 'a', 3), (2, 2, 1, 'b', 1),
                (3, 2, 1, 'c', NULL);
                INSERT INTO ZTEAM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 4, 1, 'red'), (2, 4, 1, 'blue');
                WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < \(people))
                INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZBOSS, ZCITY, Z_FOK_CITY, ZGOVERNS, Z2VISITS)
                SELECT n, 3, 1, 'p' || n, nullif(n / 2, 0), nullif(n % 4, 0), 900000 - n,
                CASE n WHEN 3 THEN 1 WHEN 1 THEN 2 END, nullif(n % 5, 0) % 4 FROM i;
                UPDATE ZPERSON SET Z2VISITS = NULL WHERE Z2VISITS = 0;
                INSERT INTO Z_3TEAMS (Z_3MEMBERS, Z_4TEAMS) SELECT Z_PK, 1 + Z_PK % 2 FROM ZPERSON WHERE Z_PK % 3 > 0;
                WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < \(people))
                INSERT INTO ZBADGE (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZHOLDER) SELECT n, 1, 1, n * 2, n FROM i;
                """)
    }

    private static func mapping() -> MappingModel {
        let generated = { PropertyMapping(name: $0, isExpressionGenerated: true) }
        func mapping(_ name: String, _ relationships: [String], policy: String? = nil) -> EntityMapping {
            EntityMapping(
                name: name, type: .undefined, sourceEntityName: name, destinationEntityName: name,
                attributeMappings: [generated(name == "Badge" ? "number" : "name")],
                relationshipMappings: relationships.map(generated), migrationPolicyClassName: policy)
        }
        return MappingModel(entityMappings: [
            mapping("City", ["mayor", "people", "visits"]),
            mapping("Person", ["badges", "boss", "city", "governs", "staff", "teams"]), mapping("Team", ["members"]),
            mapping("Badge", ["holder"], policy: "App.Moving"),
        ])
    }

    @Test(arguments: [1, 3, 1000])
    func linksOfObjectsThatNoPolicyMakesAreCopied(size: Int) throws {
        let store = try Self.store(people: 120)
        var policies = PolicyRegistry()
        policies.register(Moving.self, as: "App.Moving")
        let mapping = Self.mapping()
        let program = try #require(try store.plan(by: mapping, .refuse, policies: policies).program)
        // Only the links that a policy's objects have are selected.
        #expect(
            Self.selections(program) == [
                "ZBADGE: links of badges", "ZBADGE: links of holder", "ZBADGE: links of rival",
            ])
        #expect(program.steps.contains { $0.summary == "copy the rows of Z_3TEAMS" })
        let reference = try #require(
            try store.plan(by: Self.selecting(mapping), .refuse, policies: policies).program)
        #expect(Self.selections(reference).count > 4)
        var random = RandomNumbers(seed: UInt64(size))
        let options = MigrationOptions.limited(size == 1000 ? nil : size, &random)
        let found = try #require(try Self.comparedContent(mapping, options, store, policies, 0))
        let wanted = try #require(try Self.comparedContent(Self.selecting(mapping), options, store, policies, 0))
        for (table, rows) in wanted { #expect(found[table] == rows, "\(table)") }
        let path = store.directory.file("auto.sqlite")
        #expect(try store.rows("SELECT count(*) FROM ZPERSON WHERE ZCITY = 2 AND Z_PK % 7 = 0", at: path) == ["17"])
        #expect(
            try store.rows("SELECT count(*) FROM ZPERSON WHERE ZBOSS IS NULL AND Z_PK % 7 = 4 OR Z_PK = 1", at: path)
                == ["18"])
        #expect(
            try store.rows(
                "SELECT count(*) FROM ZPERSON p JOIN ZCITY c ON c.Z_PK = p.ZGOVERNS AND c.ZMAYOR = p.Z_PK", at: path)
                == ["2"])
    }

    /// A link has a place in both lists. One leads to nothing, so that the table is not copied as it is.
    @Test func placesInBothListsAreCopied() throws {
        let model = [
            entity(
                "Actor", [attribute("name")],
                [relationship("films", to: "Film", inverse: "cast", many: true, ordered: true)]),
            entity(
                "Film", [attribute("name")],
                [relationship("cast", to: "Actor", inverse: "films", many: true, ordered: true)]),
            entity("Note", [attribute("name")]),
        ]
        let store = try TestStore(
            from: model,
            to: model.map { description in
                var description = description
                description.attributes.append(attribute("note"))
                return description
            },
            rows: """
                INSERT INTO ZACTOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b'), (3, 1, 1, 'c');
                INSERT INTO ZFILM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'x'), (2, 2, 1, 'y'), (3, 2, 1, 'z');
                INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'n');
                """)
        let join = try #require(LayoutPrediction.layout(of: store.source.model).joinTables.first)
        let (order, inverse) = (try #require(join.orderColumn), try #require(join.inverseOrderColumn))
        let columns = "\(join.ownerColumn), \(join.destinationColumn), \(order), \(inverse)"
        try store.execute(
            """
            INSERT INTO \(join.name) (\(columns)) SELECT a.Z_PK, f.Z_PK, 9000 - f.Z_PK, 7000 + a.Z_PK * 5 % 7
            FROM ZACTOR a, ZFILM f;
            INSERT INTO \(join.name) (\(columns)) VALUES (1, 9, 1, 1);
            """)
        var policies = PolicyRegistry()
        policies.register(Plain.self, as: "App.Plain")
        let mapping = MappingModel(
            entityMappings: ["Actor", "Film", "Note"].map { name in
                EntityMapping(
                    name: name, type: .undefined, sourceEntityName: name, destinationEntityName: name,
                    attributeMappings: [PropertyMapping(name: "name", isExpressionGenerated: true)],
                    relationshipMappings: ["Actor": ["films"], "Film": ["cast"]][name, default: []].map {
                        PropertyMapping(name: $0, isExpressionGenerated: true)
                    }, migrationPolicyClassName: name == "Note" ? "App.Plain" : nil)
            })
        let found = try Self.comparedContent(mapping, MigrationOptions(), store, policies, 0)
        let wanted = try Self.comparedContent(Self.selecting(mapping), MigrationOptions(), store, policies, 0)
        #expect(found?[join.name] == wanted?[join.name])
        try store.migrate(by: mapping, .refuse, policies: policies)
        let places = try store.rows("SELECT \(columns) FROM \(join.name) ORDER BY 1, 2")
        #expect(
            places == [
                "1|1|4096|4096", "1|2|3072|4096", "1|3|2048|4096", "2|1|4096|3072", "2|2|3072|3072", "2|3|2048|3072",
                "3|1|4096|2048", "3|2|3072|2048", "3|3|2048|2048",
            ])
    }

    /// Adds no objects to lists.
    private final class AddingNone: EntityMigrationPolicy {
        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            try context.createDestinationInstance(for: source).add("members", [])
        }
    }

    @Test func policiesMayAddNoObjects() throws {
        let store = try Self.store(people: 20)
        var policies = PolicyRegistry()
        policies.register(AddingNone.self, as: "App.AddingNone")
        var mapping = Self.mapping()
        for index in mapping.entityMappings.indices {
            let isTeam = mapping.entityMappings[index].name == "Team"
            mapping.entityMappings[index].migrationPolicyClassName = isTeam ? "App.AddingNone" : nil
        }
        let result = try Self.comparedContent(mapping, MigrationOptions(), store, policies, 0)
        #expect(result?["ZTEAM"]?.count == 2)
    }

    // MARK: - Links to objects of policies

    /// Does what the mapping says.
    private final class Plain: EntityMigrationPolicy {}

    /// Only the mapping of the authors names the works, which a policy makes before or after the authors. Authors with
    /// one name are one; the row of the first of them says which work it has.
    @Test(arguments: [true, false], [true, false])
    func toOneLinksLeadToObjectsOfPolicies(policyIsFirst: Bool, isUnited: Bool) throws {
        func model(_ more: [AttributeDescription]) -> [EntityDescription] {
            [
                entity("Author", [attribute("name")] + more, [relationship("work", to: "Work")]),
                entity("Play", parent: "Work"), entity("Work", [attribute("name")]),
            ]
        }
        let store = try TestStore(from: model([]), to: model([attribute("note")]))
        let numbers = LayoutPrediction.layout(of: store.source.model).entityNumbers
        let slots = (
            work: try #require(store.source.model.slot(named: "Work")),
            play: try #require(store.source.model.slot(named: "Play"))
        )
        try store.execute(
            """
            INSERT INTO ZWORK (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, \(numbers[slots.work]), 1, 'x'),
            (2, \(numbers[slots.play]), 1, 'y');
            INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME, ZWORK) VALUES (1, 1, 1, 'a', 2), (2, 1, 1, 'b', NULL),
            (3, 1, 1, 'a', 1), (4, 1, 1, 'c', 1);
            """)
        var policies = PolicyRegistry()
        policies.register(Plain.self, as: "App.Plain")
        func mapping(_ name: String, _ relationships: [String] = []) -> EntityMapping {
            let generated = { PropertyMapping(name: $0, isExpressionGenerated: true) }
            return EntityMapping(
                name: name, type: .undefined, sourceEntityName: name, destinationEntityName: name,
                attributeMappings: [generated("name")], relationshipMappings: relationships.map(generated),
                migrationPolicyClassName: name == "Play" ? "App.Plain" : nil,
                identity: name == "Author" && isUnited ? MappingIdentity(attributes: ["name"]) : nil)
        }
        var mappings = [mapping("Author", ["work"]), mapping("Work"), mapping("Play")]
        if policyIsFirst { mappings.reverse() }
        let result = try Self.comparedContent(
            MappingModel(entityMappings: mappings), MigrationOptions(), store, policies, 0)
        try #require(result != nil)
        #expect(
            try store.rows("SELECT Z_PK, ZWORK FROM ZAUTHOR ORDER BY 1", at: store.directory.file("auto.sqlite"))
                == (isUnited ? ["1|2", "2|", "4|1"] : ["1|2", "2|", "3|1", "4|1"]))
    }
}
