import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreMigration

/// Links to objects that several sources become by a key are in the rows when these are written, and are the same as
/// those that are selected for each mapping.
@Suite struct UnitedLinkTests {
    /// The links that the program selects.
    private static func selections(_ program: MigrationProgram) -> Set<String> {
        Set(
            program.steps.compactMap { step in
                if case .owners = step.linkChange?.kind { return "\(step.table): \(step.summary)" }
                return nil
            })
    }

    private static func selecting(_ mapping: MappingModel) -> MappingModel {
        var result = mapping
        result.entityMappings += mapping.entityMappings.filter { $0.type != .remove && $0.sourceEntityName != nil }
            .map(CopiedRelationshipTests.never)
        return result
    }

    /// Migrates to a file of a name; false if the migration is refused or fails.
    private static func migrate(
        _ store: TestStore, _ mapping: MappingModel, _ options: MigrationOptions, to name: String
    ) throws -> Bool {
        let path = store.directory.file(name)
        try FileSystem.remove(path)
        var options = options
        options.verifiesFully = true
        let plan = try store.plan(by: mapping, .report, at: .output(path))
        guard !plan.isRefused else { return false }
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
        do {
            _ = try MigrationManager(options: options).execute(plan, unchangedSince: fingerprint)
        } catch let error as MigrationError {
            switch error.code {
            case .constraint, .refused, .invalid: return false
            default: throw error
            }
        }
        return true
    }

    /// Whether the migration is done with both writers, and by selected links; then the results are the same.
    private static func isTheSame(
        _ store: TestStore, _ mapping: MappingModel, _ options: MigrationOptions, _ seed: UInt64
    ) throws -> Bool {
        var (built, written) = (options, options)
        (built.writer, written.writer) = (.auto, .sqlite)
        let isBuilt = try migrate(store, mapping, built, to: "built.sqlite")
        let isWritten = try migrate(store, mapping, written, to: "written.sqlite")
        let isSelected = try migrate(store, selecting(mapping), built, to: "selected.sqlite")
        try #require(isBuilt == isWritten && isBuilt == isSelected, "seed \(seed)")
        guard isBuilt else { return false }
        let model = store.destination.model
        let found = try databaseContent(store.directory.file("built.sqlite"))
        let wanted = try databaseContent(store.directory.file("written.sqlite"))
        for (table, rows) in wanted { try #require(found[table] == rows, "seed \(seed), \(table)") }
        let ranked = try CopiedRelationshipTests.rows(store.directory.file("built.sqlite"), model)
        for (table, rows) in try CopiedRelationshipTests.rows(store.directory.file("selected.sqlite"), model) {
            try #require(ranked[table] == rows, "seed \(seed), \(table)")
        }
        return true
    }

    /// Some mappings have a key of few values, and some entities of one table have mappings with different numbers.
    @Test(.long) func theyAreThoseOfEachMapping() throws {
        let seeds = RandomNumbers.seeds(240)
        var (compared, saved, united) = (0, 0, 0)
        for number in seeds {
            let seed = UInt64(number) &+ 50_000
            var random = RandomNumbers(seed: seed)
            func chance(_ whole: Int) -> Bool { Int.random(in: 0..<whole, using: &random) == 0 }
            var models = RandomModel(seed: seed)
            let old = models.model()
            let new = models.laterVersion(of: old)
            let store = try TestStore(from: old, to: new, writer: StoreWriter(), content: seed &* 13 &+ 1, upTo: 20)
            var mapping = store.inferred.editableModel
            let connection = try Connection(path: store.path, access: .readWrite)
            try registerCoreDataFunctions(connection)
            var keys = 0
            for index in mapping.entityMappings.indices where mapping.entityMappings[index].type != .remove {
                mapping.entityMappings[index].relationshipMappings.removeAll { _ in chance(8) }
                let entity = mapping.entityMappings[index]
                guard let source = entity.sourceEntityName.flatMap({ store.source.model.entity(named: $0) }) else {
                    continue
                }
                let text = source.attributes.first { attribute in
                    attribute.type == .string && attribute.isStored && !attribute.isDerived
                        && entity.attributeMappings.contains {
                            $0.name == attribute.name && $0.valueExpression?.contains("$source") ?? false
                        }
                }
                let layout = LayoutPrediction.layout(of: store.source.model)
                if let text, chance(5) {
                    mapping.entityMappings[index].sourceFilter = "\(text.name) == NULL OR \(text.name) < \"m\""
                }
                guard let text, chance(2), let table = layout.table(ofEntity: source.slot),
                    let column = layout.column(.attribute(text.key))
                else { continue }
                mapping.entityMappings[index].identity = MappingIdentity(
                    attributes: [text.name], survivor: chance(3) ? .last : .first)
                // Where values must be unique, they stay so.
                _ = try? connection.execute(
                    "UPDATE \(table.name) SET \(column.name) = CASE Z_PK % 4 WHEN 0 THEN NULL ELSE 'v' || Z_PK % 4 END "
                        + "WHERE Z_ENT = \(layout.entityNumbers[source.slot])")
                keys += 1
            }
            if chance(4) {
                for table in LayoutPrediction.layout(of: store.source.model).tables where chance(2) {
                    try connection.execute("DELETE FROM \(table.name) WHERE Z_PK % 4 = \(random.next() % 4)")
                }
            }
            try connection.close()
            guard keys > 0, let program = try? store.plan(by: mapping, .report).program,
                let reference = try? store.plan(by: Self.selecting(mapping), .report).program
            else { continue }
            let size = [nil, 1, 3, 1000].randomElement(using: &random) ?? nil
            guard try Self.isTheSame(store, mapping, MigrationOptions.limited(size, &random), seed) else { continue }
            compared += 1
            if Self.selections(program).count < Self.selections(reference).count { saved += 1 }
            let lookups = program.steps.compactMap(\.additions).filter {
                $0.selectStatement.contains("keys.FERRY_KEYS")
            }
            if lookups.contains(where: { if case .links = $0 { true } else { false } }) { united += 1 }
        }
        #expect(compared > seeds.count / 5)
        #expect(saved > compared / 4)
        #expect(united > 0)
    }

    // MARK: - What is built

    private static let model = [
        entity(
            "City", [attribute("name")],
            [
                relationship("people", to: "Person", inverse: "city", many: true, ordered: true),
                relationship("visits", to: "Person", many: true),
            ]),
        entity(
            "Person", [attribute("name")],
            [
                relationship("city", to: "City", inverse: "people"),
                relationship("teams", to: "Team", inverse: "members", many: true),
            ]),
        entity(
            "Team", [attribute("name")], [relationship("members", to: "Person", inverse: "teams", many: true)]),
    ]

    /// Ten cities of three names and one without; teams of two names.
    private static func store(people: Int) throws -> TestStore {
        try TestStore(
            from: model,
            to: model.map { description in
                var description = description
                description.attributes.append(attribute("note"))
                return description
            },
            rows: """
                WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 10)
                INSERT INTO ZCITY (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT n, 1, 1, 'c' || nullif(n % 4, 0) FROM i;
                INSERT INTO ZTEAM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'red'), (2, 3, 1, 'blue'), (3, 3, 1, 'red');
                WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < \(people))
                INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCITY, Z_FOK_CITY, Z1VISITS)
                SELECT n, 2, 1, 'p' || n, nullif(n % 11, 0), 900000 - n, nullif(n * 7 % 11, 0) FROM i;
                INSERT INTO Z_2TEAMS (Z_2MEMBERS, Z_3TEAMS) SELECT p.Z_PK, t.Z_PK FROM ZPERSON p, ZTEAM t
                WHERE (p.Z_PK + t.Z_PK) % 3 < 2;
                """)
    }

    private static func mapping(_ survivor: MappingIdentity.Survivor) -> MappingModel {
        let generated = { PropertyMapping(name: $0, isExpressionGenerated: true) }
        func mapping(_ name: String, _ relationships: [String], isUnited: Bool) -> EntityMapping {
            EntityMapping(
                name: name, type: .undefined, sourceEntityName: name, destinationEntityName: name,
                attributeMappings: [generated("name")], relationshipMappings: relationships.map(generated),
                identity: isUnited ? MappingIdentity(attributes: ["name"], survivor: survivor) : nil)
        }
        return MappingModel(entityMappings: [
            mapping("City", ["people", "visits"], isUnited: true),
            mapping("Person", ["city", "teams"], isUnited: false),
            mapping("Team", ["members"], isUnited: true),
        ])
    }

    @Test(arguments: [1, 3, 1000], [MappingIdentity.Survivor.first, .last])
    func linksToUnitedObjectsAreLookedUpForEachRow(size: Int, survivor: MappingIdentity.Survivor) throws {
        let store = try Self.store(people: 150)
        let mapping = Self.mapping(survivor)
        let program = try #require(try store.plan(by: mapping, .refuse).program)
        #expect(Self.selections(program) == [])
        let reference = try #require(try store.plan(by: Self.selecting(mapping), .refuse).program)
        #expect(Self.selections(reference) == ["ZPERSON: links of people", "ZPERSON: links of visits"])
        // Two teams of one name have the same people, whose links are sorted without SQL.
        let unsorted = program.steps.filter { step in
            if case .links(let links) = step.additions { links.unsortedStatement != nil } else { false }
        }
        #expect(unsorted.map(\.table) == ["Z_2TEAMS"])
        let steps = BuildableSteps(program)
        #expect(
            program.steps.indices.allSatisfy { steps.all.contains($0) || program.steps[$0].phase != .relationships })
        var random = RandomNumbers(seed: UInt64(size))
        let options = size == 1000 ? MigrationOptions() : MigrationOptions.limited(size, &random)
        #expect(try Self.isTheSame(store, mapping, options, 0))
        let path = store.directory.file("built.sqlite")
        let names =
            "SELECT count(*), sum(c.ZNAME IS d.ZNAME), count(DISTINCT n.ZCITY) FROM old.ZPERSON o JOIN old.ZCITY c ON "
            + "c.Z_PK = o.ZCITY JOIN ZPERSON n ON n.Z_PK = o.Z_PK JOIN ZCITY d ON d.Z_PK = n.ZCITY"
        let connection = try Connection(path: path, access: .readOnly)
        try connection.attach(path: store.path, as: "old", access: .readOnly)
        #expect(try connection.rows(names) == [[.integer(137), .integer(137), .integer(5)]])
        let members = "SELECT count(*), count(DISTINCT Z_3TEAMS) FROM Z_2TEAMS"
        #expect(try connection.rows(members) == [[.integer(250), .integer(2)]])
        try connection.close()
    }

    private static func orders(_ count: Int) throws -> TestStore {
        try TestStore(
            from: [entity("Order", [attribute("customer"), attribute("number", .integer32)])],
            to: [
                entity(
                    "Customer", [attribute("name")],
                    [relationship("orders", to: "Order", inverse: "customer", many: true)]),
                entity(
                    "Order", [attribute("number", .integer32)],
                    [relationship("customer", to: "Customer", inverse: "orders")]),
            ],
            rows: """
                WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < \(count))
                INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZCUSTOMER, ZNUMBER)
                SELECT n * 2, 1, 1, 'c' || nullif(n % 7, 0), n FROM i;
                """)
    }

    private static func split(lists: Bool) -> MappingModel {
        func instances(_ mapping: String) -> String {
            "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"\(mapping)\", $source)"
        }
        return MappingModel(entityMappings: [
            EntityMapping(
                name: "Orders", type: .undefined, sourceEntityName: "Order", destinationEntityName: "Order",
                attributeMappings: [PropertyMapping(name: "number", isExpressionGenerated: true)],
                relationshipMappings: [PropertyMapping(name: "customer", valueExpression: instances("Customers"))]),
            EntityMapping(
                name: "Customers", type: .undefined, sourceEntityName: "Order", destinationEntityName: "Customer",
                attributeMappings: [PropertyMapping(name: "name", valueExpression: "$source.customer")],
                relationshipMappings: lists
                    ? [PropertyMapping(name: "orders", valueExpression: instances("Orders"))] : [],
                identity: MappingIdentity(attributes: ["name"])),
        ])
    }

    /// The order's row says which customer it has, so that what the customer says is not selected.
    @Test(arguments: [1, 3, 1000])
    func objectsThatAreSplitHaveTheirLinksInTheirRows(size: Int) throws {
        let store = try Self.orders(120)
        var random = RandomNumbers(seed: UInt64(size))
        let options = size == 1000 ? MigrationOptions() : MigrationOptions.limited(size, &random)
        for lists in [true, false] {
            let mapping = Self.split(lists: lists)
            let program = try #require(try store.plan(by: mapping, .refuse).program)
            #expect(program.steps.allSatisfy { $0.linkChange == nil })
            #expect(try Self.isTheSame(store, mapping, options, 0))
            #expect(
                try store.rows(
                    "SELECT count(*), count(DISTINCT c.ZNAME), count(DISTINCT c.Z_PK) FROM ZORDER o JOIN ZCUSTOMER c "
                        + "ON c.Z_PK = o.ZCUSTOMER WHERE c.ZNAME IS 'c' || nullif(o.ZNUMBER % 7, 0)",
                    at: store.directory.file("built.sqlite")) == ["120|6|23"])
        }
        // If the orders do not say it, it is.
        var onlyLists = Self.split(lists: true)
        onlyLists.entityMappings[0].relationshipMappings = []
        let program = try #require(try store.plan(by: onlyLists, .refuse).program)
        #expect(Self.selections(program) == ["ZORDER: links of orders"])
        #expect(try Self.isTheSame(store, onlyLists, options, 0))
    }

    /// Each thing becomes two objects in one table, of which one entity has the relationship.
    @Test(arguments: [true, false])
    func onlyRowsOfEntitiesWithTheRelationshipHaveLinks(isOrdered: Bool) throws {
        let relationships = [relationship("things", to: "Thing", many: true, ordered: isOrdered)]
        let store = try TestStore(
            from: [entity("Box", [attribute("name")], relationships), entity("Thing", [attribute("name")])],
            to: [
                entity("Base", [attribute("name")]), entity("Box", [attribute("name")], relationships),
                entity("Shadow", parent: "Base"), entity("Thing", parent: "Base"),
            ],
            rows: """
                INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a');
                INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZNAME, Z1THINGS\(isOrdered ? ", Z_FOK_1THINGS" : ""))
                VALUES (1, 2, 1, 'x', 1\(isOrdered ? ", 2048" : "")), (2, 2, 1, 'y', NULL\(isOrdered ? ", NULL" : ""));
                """)
        func mapping(_ name: String, from source: String, _ relationships: [String] = []) -> EntityMapping {
            EntityMapping(
                name: name, type: .undefined, sourceEntityName: source, destinationEntityName: name,
                attributeMappings: [PropertyMapping(name: "name", isExpressionGenerated: true)],
                relationshipMappings: relationships.map { PropertyMapping(name: $0, isExpressionGenerated: true) })
        }
        try store.migrate(
            by: MappingModel(entityMappings: [
                mapping("Box", from: "Box", ["things"]), mapping("Thing", from: "Thing"),
                mapping("Shadow", from: "Thing"),
            ]), .refuse)
        let column = LayoutPrediction.layout(of: store.destination.model).tables.flatMap(\.columns).first {
            if case .unidirectional = $0.role { true } else { false }
        }
        let name = try #require(column?.name)
        #expect(
            try store.rows(
                "SELECT p.Z_NAME, ZNAME, \(name) FROM ZBASE b JOIN Z_PRIMARYKEY p ON p.Z_ENT = b.Z_ENT ORDER BY 1, 2")
                == ["Shadow|x|", "Shadow|y|", "Thing|x|1", "Thing|y|"])
    }
}
