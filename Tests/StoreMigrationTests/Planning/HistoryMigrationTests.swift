import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Persistent history, whose changes name entities by number, follows the numbers.
@Suite struct HistoryMigrationTests {
    private static let old = [
        entity("Note", [attribute("text")]), entity("Page", [attribute("text")]), entity("Tag", [attribute("name")]),
    ]
    /// Note gets the number 2, Page 3 and another property; Tag goes, and Label has nothing to do with it.
    private static let new = [
        entity("Label", [attribute("name")]), entity("Note", [attribute("text")]),
        entity("Page", [attribute("text"), attribute("title")]),
    ]

    /// As Core Data makes it where attributes are preserved on deletion.
    private static let history = """
        CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
        ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB , \
        ZTOMBSTONE1 BLOB);
        CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT );
        CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
        CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID);
        INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 1.5), (2, 16002, NULL, 2.5);
        INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, NULL, 'app');
        INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 8), (16002, 'TRANSACTION', 0, 2), \
        (16003, 'TRANSACTIONSTRING', 0, 1);
        INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 1, 7, 1, NULL, NULL, NULL),
            (2, 16001, NULL, 1, 1, 7, 1, X'01', NULL, NULL), (3, 16001, NULL, 1, 2, 7, 2, X'02', NULL, NULL),
            (4, 16001, NULL, 2, 1, 8, 2, NULL, X'AB', X'CD'), (5, 16001, NULL, 0, 3, 1, 2, NULL, NULL, NULL),
            (6, 16001, NULL, 1, 3, 1, 2, X'03', NULL, NULL), (7, 16001, NULL, 0, 2, 9, 2, NULL, NULL, NULL),
            (8, 16001, NULL, 0, 16004, 9, 2, NULL, NULL, NULL);
        """
    /// Rows go into a new file where some change.
    private func store(fillsNewFile: Bool, to new: [EntityDescription] = new) throws -> TestStore {
        let objects = fillsNewFile ? "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1);" : ""
        return try TestStore(from: Self.old, to: new, rows: Self.history + objects)
    }

    private static let ways: [(MigrationPlacement, fillsNewFile: Bool, method: MigrationPlan.Method)] = [
        (.replace(backup: nil), false, .copy), (.replace(backup: nil), true, .newFile),
        (.inPlace(backup: nil), true, .original),
    ]

    @Test(arguments: ways)
    func changesFollowTheirEntities(
        _ way: (placement: MigrationPlacement, fillsNewFile: Bool, method: MigrationPlan.Method)
    ) throws {
        let store = try store(fillsNewFile: way.fillsNewFile)
        let plan = try store.plan(way.placement)
        #expect(plan.method == way.method)
        let counts = Dictionary(plan.findings.map { ($0.code, $0.count) }, uniquingKeysWith: { first, _ in first })
        #expect(counts["history-renumbered"] == 5)
        #expect(counts["history-changes-removed"] == 2)
        #expect(counts["history-columns-forgotten"] == 1)
        let report = try store.migrate(way.placement)
        #expect(report.findings.contains { $0.code == "history-changes-removed" && $0.count == 2 })
        #expect(
            try store.rows("SELECT Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS FROM ACHANGE") == [
                "1|0|2|7|1|", "2|1|2|7|1|X'01'", "3|1|3|7|2|", "4|2|2|8|2|", "7|0|3|9|2|", "8|0|16004|9|2|",
            ])
        #expect(try store.rows("SELECT ZTOMBSTONE0, ZTOMBSTONE1 FROM ACHANGE WHERE Z_PK = 4") == ["X'AB'|X'CD'"])
        #expect(try store.rows("SELECT count(*) FROM ATRANSACTION") == ["2"])
        #expect(try store.rows("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == ["16001", "16002", "16003"])
        #expect(try store.rows("SELECT name FROM sqlite_master WHERE name = 'ACHANGE_ZTRANSACTIONID_INDEX'").count == 1)
    }

    @Test(arguments: TestStore.placements)
    func whatStaysTheSameIsLeftAlone(placement: MigrationPlacement) throws {
        let new = Self.old + [entity("Zoo")]
        let store = try store(fillsNewFile: false, to: new)
        let before = try store.rows("SELECT * FROM ACHANGE")
        #expect(!(try store.plan(placement).findings.contains { $0.code.hasPrefix("history-") }))
        try store.migrate(placement)
        #expect(try store.rows("SELECT * FROM ACHANGE") == before)
    }

    @Test func keepIsRefusedWhereSomethingWouldBeLost() throws {
        func codes(_ new: [EntityDescription]) throws -> [String] {
            let store = try store(fillsNewFile: false, to: new)
            return try MigrationPlanner(
                store: SQLiteStore(path: store.path), from: store.source, to: store.destination,
                options: .init(history: .keep)
            ).plan().findings.filter { $0.severity == .error }.map(\.code)
        }
        #expect(try codes(Self.new) == ["history-changes-removed", "history-columns-forgotten"])
        #expect(try codes(Self.old + [entity("Label")]) == [])
    }

    // MARK: - Mapping models

    private static let objects = """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (7, 1, 1, 'a');
        INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (7, 2, 1, 'left out'), (10, 2, 1, 'b');
        CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZENTITYPK INTEGER,
            UNIQUE (ZENTITYID, ZENTITYPK));
        INSERT INTO ANSCKRECORDMETADATA VALUES (1, 1, 7), (2, 2, 7), (3, 2, 10), (4, 3, 1);
        CREATE TABLE ANSCKOTHER (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR);
        """

    private static func mapping(_ source: String, to destination: String, filter: String? = nil) -> EntityMapping {
        EntityMapping(
            name: source + "To" + destination, type: .transform, sourceEntityName: source,
            destinationEntityName: destination,
            attributeMappings: [PropertyMapping(name: "text", valueExpression: "$source.text")], sourceFilter: filter)
    }

    /// Objects that the mapping model leaves out, or whose entity goes, take their changes along.
    @Test func changesFollowObjectsThatAMappingModelMakes() throws {
        let store = try TestStore(from: Self.old, to: Self.new, rows: Self.history + Self.objects)
        let model = MappingModel(entityMappings: [
            Self.mapping("Note", to: "Note"), Self.mapping("Page", to: "Page", filter: "text != 'left out'"),
        ])
        let report = try store.migrate(by: model, .refuse)
        #expect(
            try store.rows("SELECT Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS FROM ACHANGE") == [
                "1|0|2|7|", "2|1|2|7|X'01'", "4|2|2|8|", "7|0|3|9|", "8|0|16004|9|",
            ])
        #expect(try store.rows("SELECT ZTOMBSTONE0 FROM ACHANGE WHERE Z_PK = 4") == ["X'AB'"])
        #expect(try store.rows("SELECT count(*) FROM ATRANSACTION") == ["2"])
        #expect(try store.rows("SELECT * FROM ANSCKRECORDMETADATA") == ["1|2|7", "3|3|10"])
        let removed = report.findings.filter { $0.code == "history-changes-removed" }
        #expect(removed.map(\.count) == [2, 1] && removed.allSatisfy { $0.severity == .note })
        #expect(report.findings.contains { $0.code == "mirroring-keys-change" && $0.message.contains("ANSCKOTHER") })
        #expect(!report.findings.contains { $0.code == "history-dropped" })
    }

    /// Two entities in one table: the keys of the second get a number on top, beyond all that history names.
    @Test func keysFollowObjectsThatMoveToATableOfOthers() throws {
        let store = try TestStore(from: Self.old, to: Self.new, rows: Self.history + Self.objects)
        let key = "UPDATE Z_PRIMARYKEY SET Z_MAX = 20 WHERE Z_NAME = 'Note'"
        try store.execute(key)
        let model = MappingModel(entityMappings: [
            Self.mapping("Note", to: "Note"), Self.mapping("Page", to: "Note"),
        ])
        try store.migrate(by: model, .refuse)
        #expect(try store.rows("SELECT Z_PK, ZTEXT FROM ZNOTE ORDER BY 1") == ["7|a", "27|left out", "30|b"])
        #expect(
            try store.rows("SELECT Z_PK, ZENTITY, ZENTITYPK FROM ACHANGE") == [
                "1|2|7", "2|2|7", "3|2|27", "4|2|8", "7|2|29", "8|16004|9",
            ])
        #expect(try store.rows("SELECT ZENTITYID, ZENTITYPK FROM ANSCKRECORDMETADATA") == ["2|7", "2|27", "2|30"])
        #expect(try store.rows("SELECT Z_MAX >= 30 FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'") == ["1"])
    }

    /// What was deleted before a split belongs to none of the parts.
    @Test func changesOfASplitEntityFollowTheObjectsThatAreThere() throws {
        let store = try TestStore(from: Self.old, to: Self.new, rows: Self.history + Self.objects)
        let model = MappingModel(
            entityMappings: [
                Self.mapping("Page", to: "Page", filter: "text == 'b'"),
                Self.mapping("Page", to: "Note", filter: "text != 'b'"), Self.mapping("Tag", to: "Label"),
            ].map { mapping in
                var mapping = mapping
                if mapping.sourceEntityName == "Tag" { mapping.attributeMappings = [] }
                return mapping
            })
        try store.migrate(by: model, .refuse)
        #expect(
            try store.rows("SELECT Z_PK, ZENTITY, ZENTITYPK FROM ACHANGE") == ["3|2|7", "5|1|1", "6|1|1", "8|16004|9"])
    }

    // MARK: - Stages and policies

    /// What a stage deletes and changes is a transaction of its own, which follows the numbers with the others.
    @Test func editsOfStagesAreInTheHistoryToo() throws {
        let store = try TestStore(
            from: Self.old, to: Self.new,
            rows: Self.history + "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (7, 1, 1, 'a'), (9, 1, 1, 'b');")
        let bundle = store.directory.file("App.xcdatamodeld")
        try GeneratedModels.write(
            [("old", store.source.model.model), ("new", store.destination.model.model)], to: bundle)
        let catalog = try VersionCatalog(paths: [bundle])
        let stages = StagedMigration([
            .custom(
                from: "old", to: "new", willMigrate: [.delete("Note", where: "text == 'a'")],
                didMigrate: [.update("Note", set: [("text", "'c'")])])
        ])
        let chain = try stages.chain(
            from: catalog.versionedModel(catalog.version(named: "old")),
            to: catalog.versionedModel(catalog.version(named: "new")), in: catalog)
        let plan = try ChainPlanner(
            store: SQLiteStore(path: store.path), chain: chain, options: .init(placement: .replace(backup: nil))
        ).plan()
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
        _ = try MigrationManager().execute(plan, unchangedSince: fingerprint)
        #expect(try store.rows("SELECT Z_PK, ZTEXT FROM ZNOTE") == ["9|c"])
        // Note has been 1, and is 2 now.
        #expect(
            try store.rows(
                "SELECT ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID FROM ACHANGE WHERE ZTRANSACTIONID > 2")
                == ["2|2|7|3", "1|2|9|4"])
        #expect(try store.rows("SELECT Z_PK FROM ATRANSACTION WHERE ZTIMESTAMP > 3") == ["3", "4"])
    }

    final class CopyingPolicy: EntityMigrationPolicy {
        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            if try source.string("text") == "left out" { return }
            try context.createDestinationInstance(for: source)
            try context.createDestinationInstance(for: source)
        }
    }

    /// The first object of a source has what happened to it; others are new.
    @Test func changesFollowObjectsThatAPolicyMakes() throws {
        let store = try TestStore(from: Self.old, to: Self.new, rows: Self.history + Self.objects)
        var page = Self.mapping("Page", to: "Page")
        page.migrationPolicyClassName = "App.CopyingPolicy"
        var policies = PolicyRegistry()
        policies.register(CopyingPolicy.self, as: "App.CopyingPolicy")
        _ = try store.migrate(
            by: MappingModel(entityMappings: [Self.mapping("Note", to: "Note"), page]), policies,
            options: MigrationOptions())
        #expect(try store.rows("SELECT ZTEXT FROM ZPAGE ORDER BY Z_PK") == ["b", "b"])
        #expect(
            try store.rows("SELECT Z_PK, ZENTITY, ZENTITYPK FROM ACHANGE WHERE ZENTITY = 3") == ["7|3|9"])
        #expect(
            try store.rows("SELECT ZENTITYID, ZENTITYPK FROM ANSCKRECORDMETADATA WHERE ZENTITYID = 3") == ["3|10"])
    }

    @Test(arguments: [HistoryPolicy.keep, .drop])
    func keepAndDropKeepTheirMeanings(history: HistoryPolicy) throws {
        let store = try TestStore(from: Self.old, to: Self.old + [entity("Zoo")], rows: Self.history + Self.objects)
        let model = MappingModel(entityMappings: [
            Self.mapping("Note", to: "Note"), Self.mapping("Page", to: "Page", filter: "text != 'left out'"),
            EntityMapping(
                name: "TagToTag", type: .transform, sourceEntityName: "Tag", destinationEntityName: "Tag"),
        ])
        guard history == .keep else {
            let report = try store.migrate(by: model, .refuse, history: .drop)
            #expect(report.findings.contains { $0.code == "history-dropped" && $0.severity == .note })
            #expect(try store.rows("SELECT 1 FROM sqlite_master WHERE name = 'ACHANGE'") == [])
            return
        }
        let state = try FolderState(of: store.directory.path)
        let error = #expect(throws: MigrationError.self) { try store.migrate(by: model, .refuse, history: .keep) }
        #expect(error?.cocoaCode == 134301)
        #expect(try FolderState(of: store.directory.path).byteDifferences(from: state) == [])
    }
}
