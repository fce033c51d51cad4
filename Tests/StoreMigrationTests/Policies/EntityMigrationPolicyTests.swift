import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// What policies in Swift can do, over a library of books, shelves and readers.
@Suite struct EntityMigrationPolicyTests {
    private let store: TestStore

    init() throws {
        store = try TestStore(
            from: [
                entity(
                    "Book",
                    [
                        attribute("pages", .integer32), attribute("price", .decimal),
                        attribute("title", optional: false),
                    ],
                    [relationship("shelf", to: "Shelf", inverse: "books")]),
                entity(
                    "Shelf", [attribute("name")],
                    [relationship("books", to: "Book", inverse: "shelf", many: true, ordered: true)]),
            ],
            to: [
                entity(
                    "Book",
                    [
                        attribute("label"), attribute("pages", .integer16), attribute("price", .decimal),
                        attribute("title", optional: false),
                    ],
                    [relationship("shelf", to: "Shelf", inverse: "books"), relationship("sequel", to: "Book")]),
                entity(
                    "Shelf", [attribute("count", .integer32), attribute("name")],
                    [
                        relationship("books", to: "Book", inverse: "shelf", many: true, ordered: true),
                        relationship("first", to: "Book"), relationship("last", to: "Book"),
                    ]),
            ],
            rows: """
                INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZPAGES, ZPRICE, ZTITLE, ZSHELF, Z_FOK_SHELF) VALUES
                    (1, 1, 1, 100, 9.5, 'one', 1, 3072), (2, 1, 1, 200, NULL, 'two', 1, 1024), (3, 1, 1, 300, 'NaN', 'three', 1, 2048),
                    (4, 1, 1, NULL, 7, 'four', NULL, NULL);
                INSERT INTO ZSHELF (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'top'), (2, 2, 1, 'empty');
                """)
    }

    private static func instances(_ mapping: String, _ path: String) -> String {
        "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"\(mapping)\", \(path))"
    }

    private func migrate(_ policy: EntityMigrationPolicy.Type?, label: String? = nil) throws -> MigrationReport {
        let generated = { PropertyMapping(name: $0, isExpressionGenerated: true) }
        let model = MappingModel(entityMappings: [
            EntityMapping(
                name: "Books", type: .undefined, sourceEntityName: "Book", destinationEntityName: "Book",
                attributeMappings: label.map { [PropertyMapping(name: "label", valueExpression: $0)] } ?? [],
                relationshipMappings: [generated("shelf")],
                migrationPolicyClassName: policy == nil ? nil : "App.BookPolicy"),
            EntityMapping(
                name: "Shelves", type: .undefined, sourceEntityName: "Shelf", destinationEntityName: "Shelf",
                relationshipMappings: [
                    generated("books"),
                    PropertyMapping(
                        name: "first", valueExpression: Self.instances("Books", "$source.books"), choice: .first),
                    PropertyMapping(
                        name: "last", valueExpression: Self.instances("Books", "$source.books"), choice: .last),
                ]),
        ])
        var policies = PolicyRegistry()
        if let policy { policies.register(policy, as: "Tests.BookPolicy") }
        return try store.migrate(by: model, policies, options: MigrationOptions(limits: BatchLimits(rows: 2)))
    }

    /// Sets a value of the first book again when other books are written.
    final class FirstBookPolicy: EntityMigrationPolicy {
        private var first: DestinationObject?
        private var count = 0

        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            let book = try context.createDestinationInstance(for: source)
            count += 1
            let first = self.first ?? book
            self.first = first
            try first.set("label", to: .string("of \(count)"))
            #expect(try first.value("label") == .string("of \(count)"))
            try first.set("pages", to: .integer(Int64(count)))
            #expect(try first.value("pages") == .integer(Int64(count)))
        }
    }

    @Test func aValueThatIsSetAgainAfterTheRowIsWrittenCounts() throws {
        _ = try migrate(FirstBookPolicy.self)
        #expect(try store.rows("SELECT ZLABEL, ZPAGES FROM ZBOOK WHERE Z_PK = 1") == ["of 4|4"])
    }

    private let books = "SELECT Z_PK, ZTITLE, ZPAGES, ZPRICE, ZSHELF FROM ZBOOK ORDER BY 1"
    private let unchanged = ["1|one|100|9.5|1", "2|two|200||1", "3|three|300|NaN|1", "4|four||7|"]

    /// The places of a shelf are 2, 3, 1; the keys say something else.
    private func expectOrder() throws {
        #expect(
            try store.rows("SELECT ZTITLE FROM ZBOOK WHERE ZSHELF = 1 ORDER BY Z_FOK_SHELF") == ["two", "three", "one"])
        #expect(try store.rows("SELECT ZFIRST, ZLAST FROM ZSHELF ORDER BY Z_PK") == ["2|1", "|"])
    }

    @Test func orderedLinksKeepTheirPlacesAndChoicesGoByThem() throws {
        _ = try migrate(nil)
        #expect(try store.rows(books) == unchanged)
        try expectOrder()
    }

    final class Nothing: EntityMigrationPolicy {}

    @Test func aPolicyThatOverridesNothingDoesWhatTheMappingSays() throws {
        let report = try migrate(Nothing.self)
        #expect(report.entities.contains { $0.mapping == "Books" && $0.tier == .policyTransfer && $0.written == 4 })
        #expect(try store.rows(books) == unchanged)
        try expectOrder()
    }

    final class Hooks: EntityMigrationPolicy {
        private var calls: [String] = []
        override func begin(_ context: MigrationContext) { calls.append("begin \(context.mapping.name)") }
        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            calls.append("create")
            // Two objects of one, and none of another.
            guard try source.integer("pages") != 200 else { return }
            let book = try context.createDestinationInstance(for: source)
            #expect(try book.value("title") == source.value("title"))
            if try source.string("title") == "one" {
                let copy = try context.createDestinationInstance(for: source)
                try copy.set("title", to: .string("copy"))
                #expect(try copy.value("title") == .string("copy"))
                try book.relate("sequel", to: copy)
            }
        }
        override func endInstanceCreation(in context: MigrationContext) { calls.append("made") }
        override func createRelationships(
            for destination: DestinationObject, of source: SourceObject, in context: MigrationContext
        ) throws {
            calls.append("relate")
            let made = try context.destinationObjects(for: [source.objectID])[0]
            #expect(made.contains(destination.objectID))
            #expect(try context.sourceObjects(for: [destination.objectID], mappingName: "Books") == [[source.objectID]])
            // The other side, the mapping of shelves, says where the books stand.
            if made.count == 1, try source.string("title") == "four" {
                context.createMappedRelationships(for: destination)
            }
        }
        override func endRelationshipCreation(in context: MigrationContext) { calls.append("related") }
        override func performCustomValidation(in context: MigrationContext) throws {
            let copy = try context.find("Book", where: ["title": .string("copy")])
            #expect(try copy?.value("pages") == .integer(100))
            try copy?.set("label", to: .string("checked"))
            #expect(try context.find("Book", where: ["title": .string("two")]) == nil)
        }
        override func end(_ context: MigrationContext) {
            #expect(
                calls == ["begin Books"] + Array(repeating: "create", count: 4) + ["made"]
                    + Array(repeating: "relate", count: 4) + ["related"])
        }
    }

    @Test func theHooksComeInOrderAndMayMakeSeveralObjectsOrNone() throws {
        _ = try migrate(Hooks.self)
        #expect(
            try store.rows("SELECT ZTITLE, ZLABEL, ZSHELF FROM ZBOOK ORDER BY 1")
                == ["copy|checked|1", "four||", "one||1", "three||1"])
        #expect(
            try store.rows("SELECT a.ZTITLE, b.ZTITLE FROM ZBOOK a JOIN ZBOOK b ON b.Z_PK = a.ZSEQUEL") == ["one|copy"])
    }

    /// Reads the objects that a relationship leads to, and leaves their rows open.
    final class Following: EntityMigrationPolicy {
        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            let book = try context.createDestinationInstance(for: source)
            guard let shelf = try source.related("shelf").first else { return }
            let others = try context.sourceObject(shelf)?.related("books").compactMap {
                try context.sourceObject($0)?.string("title")
            }
            try book.set("label", to: others.map { .string($0.joined(separator: "+")) })
            #expect(context.storePath.hasSuffix(".sqlite"))
        }
    }

    @Test func aPolicyReadsTheObjectsThatARelationshipLeadsTo() throws {
        _ = try migrate(Following.self)
        #expect(
            try store.rows("SELECT ZTITLE, ZLABEL FROM ZBOOK ORDER BY 1")
                == ["four|", "one|two+three+one", "three|two+three+one", "two|two+three+one"])
    }

    final class Failing: EntityMigrationPolicy {
        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            let book = try context.createDestinationInstance(for: source)
            try book.set("pages", to: .integer(300_000))
        }
    }

    @Test func whatAPolicyThrowsNamesTheMappingAndTheObjectAndChangesNothing() throws {
        let before = try store.rows(books)
        do {
            _ = try migrate(Failing.self)
            Issue.record("it ran")
        } catch let error as MigrationError {
            #expect(error.cocoaCode == 134170)
            #expect(
                "\(error)".contains("Books") && "\(error)".contains("x-coredata://\(TestStore.uuid)/Book/p1"),
                "\(error)")
            #expect("\(error)".contains("pages is of type Integer 16"), "\(error)")
        }
        #expect(try store.rows(books) == before)
    }

    /// Removes a link when the links have been created.
    final class Late: EntityMigrationPolicy {
        override func performCustomValidation(in context: MigrationContext) throws {
            try context.find("Book", where: ["title": .string("one")])?.relate("shelf", to: [])
        }
    }

    @Test func relationshipsAreSetBeforeObjectsAreValidated() throws {
        let before = try store.rows(books)
        do {
            _ = try migrate(Late.self)
            Issue.record("it ran")
        } catch let error as MigrationError {
            #expect("\(error)".contains("Book.shelf"), "\(error)")
        }
        #expect(try store.rows(books) == before)
    }

    @Test func theRowsThatAKilledRunHasLeftAreRemoved() throws {
        let rows = StagedFile.rowsPath(of: StagedFile.stagingPath(for: store.path))
        _ = try store.directory.write("rows", to: FileSystem.name(of: rows))
        #expect(FileSystem.exists(rows))
        _ = try migrate(nil)
        #expect(!FileSystem.exists(rows))
    }

    final class Calls: EntityMigrationPolicy {
        override func value(
            ofMethod name: String, _ arguments: [AttributeValue?], for source: SourceObject,
            in context: MigrationContext
        ) throws -> AttributeValue? {
            guard name == "label:of:", case .string(let title)? = arguments[0] else { return nil }
            return .string("\(title) of \(try source.related("shelf").count)")
        }
    }

    @Test func expressionsCallThePolicy() throws {
        let expression = #"uppercase:(FUNCTION($entityPolicy, "label:of:", $source.title, $source))"#
        _ = try migrate(Calls.self, label: expression)
        #expect(
            try store.rows("SELECT ZLABEL FROM ZBOOK ORDER BY Z_PK") == [
                "ONE OF 1", "TWO OF 1", "THREE OF 1", "FOUR OF 0",
            ])
    }

    @Test func aMethodThatThePolicyLacksIsNamed() throws {
        #expect(throws: MigrationError.self) {
            try migrate(Nothing.self, label: #"FUNCTION($entityPolicy, "label:", $source.title)"#)
        }
    }
}
