import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreMigration

/// Whatever writes and however many threads read, a mapping model gives the same rows.
@Suite struct MappedRowsTests {
    private static let city = relationship("city", to: "City", inverse: "people")
    private static let old = [
        entity("City", [attribute("name")], [relationship("people", to: "Person", inverse: "city", many: true)]),
        entity(
            "Person",
            [
                attribute("code"), attribute("number", .integer64), attribute("photo", .binaryData),
                attribute("weight", .double),
            ],
            [city]),
    ]
    private static let new = [
        entity("City", [attribute("name")], [relationship("people", to: "Person", inverse: "city", many: true)]),
        entity(
            "Code", [attribute("number", .integer64), attribute("text")],
            [relationship("marked", to: "Person", inverse: "mark", many: true)]),
        entity(
            "Person",
            [
                attribute("half", .double), attribute("label"), attribute("number", .integer64),
                attribute("photo", .binaryData), attribute("size", .integer64), attribute("text"),
            ],
            [city, relationship("mark", to: "Code", inverse: "marked")]),
    ]

    /// Keys that are dense, then sparse, then far away; large values among them.
    private static let rows = """
        INSERT INTO ZCITY (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b');
        WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 900)
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZCODE, ZNUMBER, ZPHOTO, ZWEIGHT, ZCITY)
        SELECT CASE WHEN n <= 500 THEN n - 3 WHEN n <= 800 THEN n * 1000 ELSE (1 << 61) + n END, 2, 1,
        CASE WHEN n % 11 THEN n % 37 END, CASE n WHEN 850 THEN 2 ELSE n % 2 END,
        CASE WHEN n % 300 = 0 THEN zeroblob(1500000) WHEN n % 7 = 0 THEN zeroblob(n) END, n / 8.0, n % 3 + 1 FROM i;
        """

    enum Kind: String, CaseIterable {
        /// Values that SQL computes, those that Swift does, another object for each different value, a policy.
        case sql, swift, split, policy

        var attributes: [PropertyMapping] {
            switch self {
            case .sql:
                [value("label", "$source.code + \" \" + $source.city.name"), value("half", "$source.weight / 2")]
            case .swift:
                [
                    value("label", "$source.code"), value("half", "$source.code.doubleValue"),
                    value("size", "$source.photo.length"), value("text", "$source.weight.stringValue"),
                ]
            case .split, .policy: [value("label", "$source.code"), value("half", "$source.weight")]
            }
        }

        private func value(_ name: String, _ text: String) -> PropertyMapping {
            PropertyMapping(name: name, valueExpression: text)
        }
    }

    private func store(usesLog: Bool = true, _ encoding: DatabaseFile.TextEncoding = .utf8) throws -> TestStore {
        try TestStore(from: Self.old, to: Self.new, rows: Self.rows, usesLog: usesLog, encoding: encoding)
    }

    private func migrate(
        _ store: TestStore, _ attributes: [PropertyMapping], codes: [String] = [], marks: Bool = true,
        filter: String? = nil,
        policy: EntityMigrationPolicy.Type? = nil, options: MigrationOptions
    ) throws {
        let generated = { PropertyMapping(name: $0, isExpressionGenerated: true) }
        let mark = PropertyMapping(
            name: "mark",
            valueExpression: "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
                + "\"Codes\", $source)")
        var mappings = [
            EntityMapping(
                name: "People", type: .undefined, sourceEntityName: "Person", destinationEntityName: "Person",
                attributeMappings: attributes + [generated("number"), generated("photo")],
                relationshipMappings: [generated("city")] + (codes.isEmpty || !marks ? [] : [mark]),
                sourceFilter: filter,
                migrationPolicyClassName: policy.map { "App.\($0)" }),
            EntityMapping(
                name: "Cities", type: .undefined, sourceEntityName: "City", destinationEntityName: "City",
                attributeMappings: [generated("name")], relationshipMappings: [generated("people")]),
        ]
        if !codes.isEmpty {
            var mapping = EntityMapping(
                name: "Codes", type: .undefined, sourceEntityName: "Person", destinationEntityName: "Code",
                attributeMappings: [
                    PropertyMapping(name: "number", valueExpression: "$source.number"),
                    PropertyMapping(name: "text", valueExpression: "$source.code"),
                ])
            mapping.identity = MappingIdentity(attributes: codes)
            mappings.append(mapping)
        }
        var policies = PolicyRegistry()
        if let policy { policies.register(policy, as: "App.\(policy)") }
        try store.migrate(by: MappingModel(entityMappings: mappings), policies, options: options)
    }

    private func options(_ writer: NewStoreWriter, readers: Int) -> MigrationOptions {
        var options = MigrationOptions(limits: BatchLimits(rows: 20), verifiesFully: true)
        (options.writer, options.readers) = (writer, readers)
        return options
    }

    final class Nothing: EntityMigrationPolicy {}

    private func content(
        _ kind: Kind, _ filter: String?, _ writer: NewStoreWriter, readers: Int, usesLog: Bool = true,
        marks: Bool = true, _ encoding: DatabaseFile.TextEncoding = .utf8
    ) throws -> [String: [[SQLiteValue]]] {
        let store = try store(usesLog: usesLog, encoding)
        try migrate(
            store, kind.attributes, codes: kind == .split ? ["text"] : [], marks: marks, filter: filter,
            policy: kind == .policy ? Nothing.self : nil, options: options(writer, readers: readers))
        return try databaseContent(store.path)
    }

    @Test(.long, arguments: Kind.allCases, [nil, "number = 2 OR code = \"7\""])
    func allWritersAndNumbersOfReadersGiveTheSameRows(kind: Kind, filter: String?) throws {
        let written = try content(kind, filter, .sqlite, readers: 1)
        #expect((written["ZPERSON"]?.count ?? 0) == (filter == nil ? 900 : 23))
        for (readers, usesLog) in [(1, true), (3, true), (1, false), (3, false)] {
            #expect(try content(kind, filter, .auto, readers: readers, usesLog: usesLog) == written)
        }
        // A policy that overrides nothing does what the mapping says.
        if kind == .policy {
            let plain = try content(.split, filter, .sqlite, readers: 1, marks: false)
            #expect(plain["ZPERSON"] == written["ZPERSON"])
        }
    }

    /// Texts are evaluated, looked up and read ahead by policies, and those that are computed have the encoding, too.
    @Test(.long, arguments: Kind.allCases, [DatabaseFile.TextEncoding.utf16LittleEndian, .utf16BigEndian])
    func allWritersAndNumbersOfReadersGiveTheSameRowsInUTF16(
        kind: Kind, encoding: DatabaseFile.TextEncoding
    ) throws {
        let written = try content(kind, nil, .sqlite, readers: 1, encoding)
        for (readers, usesLog) in [(1, true), (1, false), (3, false)] {
            #expect(try content(kind, nil, .auto, readers: readers, usesLog: usesLog, encoding) == written)
        }
        var others = written
        others["encoding"] = [["UTF-8"]]
        #expect(try content(kind, nil, .sqlite, readers: 1) == others)
    }

    /// Several mappings fill one table, with keys that follow each other or lie among each other.
    @Test(arguments: [1, 3], ["Plain", "Odd"])
    func rowsOfSeveralMappingsAreBuilt(readers: Int, source: String) throws {
        let old = [
            entity("Plain", [attribute("text")], [relationship("tags", to: "Tag", inverse: "things", many: true)]),
            entity("Odd", parent: "Plain"), entity("Other", [attribute("text")]),
            entity("Tag", [attribute("text")], [relationship("things", to: "Plain", inverse: "tags", many: true)]),
        ]
        let new = [
            entity(
                "Tag", [attribute("text")],
                [relationship("things", to: "Thing", inverse: "tags", many: true, ordered: true)]),
            entity("Thing", [attribute("text")], [relationship("tags", to: "Tag", inverse: "things", many: true)]),
        ]
        let rows = """
            WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 700)
            INSERT INTO ZPLAIN (Z_PK, Z_ENT, Z_OPT, ZTEXT)
            SELECT n * 2, 2 + n % 3 % 2, 1, CASE n % 200 WHEN 0 THEN hex(zeroblob(9000)) ELSE 'thing ' || n END FROM i;
            INSERT INTO ZOTHER (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'x'), (9, 1, 1, 'y');
            INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 4, 1, 'a'), (2, 4, 1, 'b'), (5, 4, 1, 'c');
            INSERT INTO Z_2TAGS SELECT p.Z_PK, t.Z_PK FROM ZPLAIN p, ZTAG t WHERE p.Z_PK % (t.Z_PK + 2) = 0;
            """
        let generated = { PropertyMapping(name: $0, isExpressionGenerated: true) }
        let mappings = [("Plain", "Thing"), ("Other", "Thing"), ("Odd", "Thing"), ("Tag", "Tag")].map { from, to in
            EntityMapping(
                name: from, type: .undefined, sourceEntityName: from, destinationEntityName: to,
                attributeMappings: [generated("text")],
                relationshipMappings: from == source ? [generated("tags")] : [])
        }
        func content(_ writer: NewStoreWriter) throws -> (content: [String: [[SQLiteValue]]], filled: Set<String>) {
            let store = try TestStore(from: old, to: new, rows: rows)
            let mapping = MappingModel(entityMappings: mappings)
            let program = try #require(try store.plan(by: mapping, .refuse, policies: PolicyRegistry()).program)
            try store.migrate(by: mapping, PolicyRegistry(), options: options(writer, readers: readers))
            return (
                try databaseContent(store.path), Set(BuildableSteps(program).fills.map { program.steps[$0].table })
            )
        }
        let (built, filled) = try content(.builder)
        #expect(filled == ["ZTHING", "ZTAG", "Z_1THINGS"])
        #expect(built == (try content(.sqlite).content))
        #expect(built["ZTHING"]?.count == 702)
    }

    /// Objects that several sources make, and links to them, are looked up while the file is built.
    @Test(arguments: [1, 3])
    func aSplitIsBuilt(readers: Int) throws {
        let written = try content(.split, nil, .sqlite, readers: 1)
        // 37 codes, and an object for each of the 81 people without one.
        #expect((written["ZCODE"]?.count ?? 0) == 37 + 81)
        #expect(try content(.split, nil, .builder, readers: readers) == written)
    }

    /// Whatever is remembered of the objects that were found, and whether there are too many; of two values one may be
    /// NULL, and an object without any stands for itself.
    @Test(arguments: [["text"], ["number", "text"]])
    func linksOfASplitDoNotDependOnWhatIsRemembered(key: [String]) throws {
        func links(_ writer: NewStoreWriter, _ limits: MigrationLimits) throws -> [String] {
            let store = try store(usesLog: false)
            var options = options(writer, readers: 3)
            options.fixedLimits = limits
            try migrate(store, [], codes: key, options: options)
            return try store.rows(
                "SELECT p.Z_PK, c.Z_PK, c.ZTEXT, c.ZNUMBER FROM ZPERSON p JOIN ZCODE c ON c.Z_PK = p.ZMARK ORDER BY 1")
        }
        let written = try links(.sqlite, MigrationLimits())
        #expect(written.count == 900)
        for (rows, keys, bytes) in [(1, 1000, 1), (2, 1000, 60), (3, 1000, 1 << 20), (7, 100, 1 << 20), (7, 1, 1)] {
            var limits = MigrationLimits()
            limits.block = BatchLimits(rows: rows)
            (limits.knownKeys, limits.knownKeyBytes, limits.windowsWorthThreads) = (keys, bytes, 1)
            #expect(try links(.builder, limits) == written)
        }
    }

    /// Asks its source in the second pass, where rows are looked up only then.
    final class Related: EntityMigrationPolicy {
        override func createRelationships(
            for destination: DestinationObject, of source: SourceObject, in context: MigrationContext
        ) throws {
            if source.objectID.primaryKey % 2 == 0, let code = try source.string("code") {
                try destination.set(
                    "label", to: .string("\(code) of \(try source.related("city").first?.primaryKey ?? 0)"))
            }
            context.createMappedRelationships(for: destination)
        }
    }

    @Test func aPolicyReadsItsSourceWhenObjectsAreRelated() throws {
        let store = try store()
        let expected = try store.rows(
            "SELECT Z_PK, ZCITY, iif(Z_PK % 2 = 0 AND ZCODE IS NOT NULL, ZCODE || ' of ' || ZCITY, ZCODE) FROM ZPERSON "
                + "WHERE ZCITY < 3 ORDER BY 1")
        try migrate(
            store, [PropertyMapping(name: "label", valueExpression: "$source.code")], policy: Related.self,
            options: options(.auto, readers: 2))
        #expect(try store.rows("SELECT Z_PK, ZCITY, ZLABEL FROM ZPERSON WHERE ZCITY < 3 ORDER BY 1") == expected)
    }

    @Test func theFirstFaultyRowEndsTheWorkWhoeverReadsIt() throws {
        var messages: [String] = []
        for readers in [1, 3] {
            let store = try store()
            let before = try databaseContent(store.path)
            // The product of one row, in the last part, does not fit.
            let product = PropertyMapping(name: "half", valueExpression: "$source.number * 9223372036854775807")
            let error = #expect(throws: MigrationError.self) {
                try migrate(store, [product], options: options(.builder, readers: readers))
            }
            messages.append("\(error.map { "\($0)" } ?? "")".replacing(store.path, with: ""))
            #expect(try databaseContent(store.path) == before)
            #expect(try FileSystem.names(in: store.directory.path).filter { $0.contains("staging") } == [])
        }
        #expect(messages[0].contains("64 bits") && messages[0] == messages[1])
    }

    /// A number of which a Double attribute takes nothing, of the first row that has a code.
    @Test func aValueOfAnotherTypeEndsTheWorkWhoeverEvaluatesIt() throws {
        var messages: Set<String> = []
        for (writer, readers, usesLog) in [
            (NewStoreWriter.sqlite, 1, true), (.builder, 1, true), (.builder, 1, false), (.builder, 3, false),
        ] {
            let store = try store(usesLog: usesLog)
            let text = PropertyMapping(name: "half", valueExpression: "$source.weight.stringValue")
            let error = #expect(throws: MigrationError.self) {
                try migrate(store, [text], options: options(writer, readers: readers))
            }
            let message = "\(error.map { "\($0)" } ?? "")".replacing(store.path, with: "")
            #expect(message.contains("a string, not of the type Double"))
            messages.insert(message)
        }
        #expect(messages.count == 1)
    }

    @Test(arguments: [3, 10, 20, 30])
    func readersEndWhenTheMigrationIsCancelled(questions: Int) throws {
        let store = try store()
        let before = try databaseContent(store.path)
        let patience = Patience(questions)
        var options = options(.builder, readers: 3)
        options.isCancelled = { patience.isOver }
        let error = #expect(throws: MigrationError.self) { try migrate(store, Kind.swift.attributes, options: options) }
        #expect(error?.code == .cancelled)
        #expect(try databaseContent(store.path) == before)
    }
}
