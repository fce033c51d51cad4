import Foundation
import PersistentStores
import SQLiteAccess
import StoreVerification
import Testing
import TestSupport

/// A broken store that is repaired has nothing of the fault left, and keeps everything else.
@Suite struct RepairTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let sql: String
        let fixes: [String]
        /// A query after the repair, and what it gives.
        var query = "SELECT 1"
        var answer = "1"
        /// The codes that are left.
        var left: [String] = []

        var testDescription: String { sql }
    }

    static let cases: [Case] = [
        Case(
            sql: "UPDATE ZRECIPE SET ZTYPE = 99 WHERE Z_PK IN (1, 2)", fixes: ["dangling-reference"],
            query: "SELECT count(*) FROM ZRECIPE WHERE ZTYPE IS NULL AND Z_PK < 3", answer: "2"),
        Case(
            sql: "UPDATE ZSTEP SET ZRECIPE = 99 WHERE Z_PK = 1", fixes: ["dangling-reference"],
            query: "SELECT ifnull(Z_FOK_RECIPE, 'none') FROM ZSTEP WHERE Z_PK = 1", answer: "none"),
        Case(
            sql: "INSERT INTO Z_1RECIPES VALUES (99, 1, 9999, 9999)", fixes: ["dangling-join-row"],
            query: "SELECT count(*) FROM Z_1RECIPES WHERE Z_1AUTHORS = 99", answer: "0"),
        Case(
            sql: "UPDATE ZIMAGE SET ZRECIPE = NULL WHERE Z_PK = 1", fixes: ["one-sided-inverse"],
            query: "SELECT ZRECIPE FROM ZIMAGE WHERE Z_PK = 1", answer: "1"),
        Case(
            sql: "UPDATE ZIMAGE SET ZRECIPE = 3 WHERE Z_PK = 1", fixes: ["one-sided-inverse"],
            query: "SELECT ifnull(ZIMAGE, 'none') FROM ZRECIPE WHERE Z_PK = 1", answer: "none"),
        Case(
            sql: "UPDATE ZCHEF SET Z_ENT = 77 WHERE Z_PK = 3",
            fixes: ["unknown-entity-number", "dangling-join-row", "dangling-reference"],
            query: "SELECT count(*) FROM ZCHEF WHERE Z_PK = 3", answer: "0"),
        Case(
            sql: "UPDATE ZSTEP SET Z_ENT = 7 WHERE Z_PK = 1", fixes: ["abstract-entity"],
            query: "SELECT count(*) FROM ZSTEP WHERE Z_PK = 1", answer: "0"),
        Case(
            sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME IN ('Recipe', 'CHANGE')",
            fixes: ["primary-key-behind"],
            query: "SELECT Z_MAX = (SELECT max(Z_PK) FROM ZRECIPE) FROM Z_PRIMARYKEY WHERE Z_NAME = 'Recipe'"),
        Case(
            sql: "UPDATE ZSTEP SET Z_FOK_RECIPE = 2048 WHERE ZRECIPE = 1", fixes: ["order-keys"],
            query: "SELECT group_concat(Z_FOK_RECIPE) FROM (SELECT * FROM ZSTEP WHERE ZRECIPE = 1 ORDER BY Z_PK)",
            answer: "2048,3072,4096,5120"),
        Case(sql: "UPDATE Z_1RECIPES SET Z_FOK_5RECIPES = NULL WHERE Z_1AUTHORS = 1", fixes: ["order-keys"]),
        Case(sql: "DROP INDEX ZIMAGE_ZRECIPE_INDEX", fixes: ["index-missing"]),
        Case(sql: "DROP INDEX Z_Recipe_UNIQUE_name_identifier", fixes: ["uniqueness-unguarded"]),
        Case(
            sql: "UPDATE ZRECIPE SET ZSERVINGS = 0, ZRATING = 9 WHERE Z_PK = 1",
            fixes: ["below-minimum", "above-maximum"],
            query: "SELECT ZSERVINGS || ' ' || ZRATING FROM ZRECIPE WHERE Z_PK = 1", answer: "1 5.0"),
        Case(
            sql: "UPDATE ZCHEF SET ZBIRTHYEAR = 40000 WHERE Z_PK = 1", fixes: ["value-out-of-range"],
            query: "SELECT ZBIRTHYEAR FROM ZCHEF WHERE Z_PK = 1", answer: "32767"),
        Case(
            sql: "UPDATE ZRECIPE SET ZSERVINGS = NULL WHERE Z_PK = 1", fixes: ["missing-required-value"],
            query: "SELECT ZSERVINGS FROM ZRECIPE WHERE Z_PK = 1", answer: "4"),
        // There is no default to take.
        Case(
            sql: "UPDATE ZCHEF SET ZNAME = NULL WHERE Z_PK = 1", fixes: ["missing-required-value"],
            left: ["missing-required-value"]),
        Case(
            sql: "UPDATE ZRECIPE SET ZNAME = X'41C3BC' WHERE Z_PK = 1", fixes: ["wrong-storage-class"],
            query: "SELECT ZNAME FROM ZRECIPE WHERE Z_PK = 1", answer: "Aü"),
        Case(
            sql: "UPDATE ZRECIPE SET ZTHUMBNAIL = X'01' WHERE Z_PK = 1", fixes: ["undecodable-value"],
            query: "SELECT ifnull(ZTHUMBNAIL, 'none') FROM ZRECIPE WHERE Z_PK = 1", answer: "none"),
        Case(
            sql: "UPDATE ZRECIPE SET ZINGREDIENTCOUNT = 77 WHERE Z_PK = 1", fixes: ["derived-value-stale"],
            query: "SELECT ZINGREDIENTCOUNT FROM ZRECIPE WHERE Z_PK = 1", answer: "5"),
        // What is derived follows, though nobody asked for it.
        Case(
            sql: "UPDATE ZINGREDIENT SET ZRECIPE = 99 WHERE Z_PK = 1; UPDATE ZRECIPE SET ZINGREDIENTCOUNT = 5",
            fixes: ["dangling-reference"], query: "SELECT ZINGREDIENTCOUNT FROM ZRECIPE WHERE Z_PK = 1", answer: "4"),
        Case(sql: "UPDATE ZCHEF SET Z_OPT = NULL WHERE Z_PK = 1", fixes: ["lock-counter-invalid"]),
    ]

    @Test(.long, arguments: cases)
    func theFaultIsGone(example: Case) throws {
        let store = try SampleStore()
        try store.execute(example.sql)
        let rules = try example.fixes.map { try #require(VerificationRule(rawValue: $0)) }
        let report = try StoreRepair(path: store.path, model: store.model, rules: rules).run()
        #expect(report.remaining.map(\.code) == example.left, "\(report)")
        #expect(try store.counts().keys.sorted() == example.left)
        let connection = try Connection(path: store.path, access: .readOnly)
        #expect(try connection.value("SELECT CAST((\(example.query)) AS TEXT)").string == example.answer)
        #expect(!report.repairs.isEmpty || !example.left.isEmpty)
        #expect(try FileSystem.names(in: store.directory.path) == [".Recipes_SUPPORT", "Recipes.sqlite"])
    }

    private static let duplicates = """
        DROP INDEX Z_Recipe_UNIQUE_name_identifier;
        UPDATE ZRECIPE SET ZNAME = 'x', ZIDENTIFIER = X'00112233445566778899AABBCCDDEEFF', ZCREATED = 100 - Z_PK % 3
            WHERE Z_PK < 4;
        """

    @Test(
        arguments: [(.first, 1), (.last, 3), (.newest(by: "created"), 3), (.newest(by: "servings"), -1)]
            as [(Survivor, Int64)])
    func oneOfTheDuplicatesStays(keep: Survivor, key: Int64) throws {
        let store = try SampleStore()
        try store.execute(Self.duplicates)
        var options = StoreRepair.Options()
        options.keep = keep
        // What leads to the objects that go has to be repaired as well.
        #expect(throws: RepairError.self) {
            try StoreRepair(path: store.path, model: store.model, rules: [.uniquenessViolated], options: options).run()
        }
        let rules: [VerificationRule] = [
            .uniquenessViolated, .danglingReference, .danglingJoinRow, .uniquenessUnguarded, .oneSidedInverse,
        ]
        let report = try StoreRepair(path: store.path, model: store.model, rules: rules, options: options).run()
        #expect(report.remaining == [], "\(report)")
        let kept = try Connection(path: store.path, access: .readOnly)
            .value("SELECT Z_PK FROM ZRECIPE WHERE ZNAME = 'x'").integer
        if key > 0 { #expect(kept == key) }
    }

    @Test func aStoreWithAnInterruptedImportIsLeftAlone() throws {
        let store = try SampleStore()
        try store.execute(
            "UPDATE ZRECIPE SET ZTYPE = 99 WHERE Z_PK = 1; CREATE TABLE \(InterruptedImport.table) (content BLOB)")
        let before = try FolderState(of: store.directory.path)
        #expect(throws: StoreError(.importInterrupted, path: store.path)) {
            try StoreRepair(path: store.path, model: store.model, rules: [.danglingReference]).run()
        }
        #expect(try FolderState(of: store.directory.path).byteDifferences(from: before) == [])
    }

    @Test func unknownAttributesAreRefused() throws {
        let store = try SampleStore()
        try store.execute(Self.duplicates)
        var options = StoreRepair.Options()
        options.keep = .newest(by: "nose")
        #expect(throws: RepairError.self) {
            try StoreRepair(path: store.path, model: store.model, rules: [.uniquenessViolated], options: options).run()
        }
    }

    @Test func nothingChangesInADryRunOrARefusal() throws {
        let store = try SampleStore()
        try store.execute("UPDATE ZRECIPE SET ZTYPE = 99 WHERE Z_PK IN (1, 2)")
        try store.execute("INSERT INTO Z_1RECIPES VALUES (99, 1, 9, 9)")
        let before = try FolderState(of: store.directory.path)
        var options = StoreRepair.Options()
        options.isDryRun = true
        let report = try StoreRepair(
            path: store.path, model: store.model, rules: [.danglingReference], options: options
        ).run()
        #expect(report.repairs.map(\.count) == [2])
        #expect(report.repairs.allSatisfy { $0.examples.count == 2 && $0.sql != nil })
        #expect(report.remaining.map(\.code) == ["dangling-join-row"])
        #expect(throws: RepairError.self) {
            try StoreRepair(path: store.path, model: store.model, rules: [.patternMismatch])
        }
        #expect(try FolderState(of: store.directory.path).byteDifferences(from: before) == [])
    }

    @Test func theOldStoreStaysWithAnOutputAndInABackup() throws {
        let store = try SampleStore()
        try store.execute("UPDATE ZRECIPE SET ZTYPE = 99 WHERE Z_PK = 1")
        let old = try Data(contentsOf: URL(fileURLWithPath: store.path))
        var options = StoreRepair.Options()
        options.output = store.directory.file("New.sqlite")
        let report = try StoreRepair(
            path: store.path, model: store.model, rules: [.danglingReference], options: options
        ).run()
        #expect(report.result.hasSuffix("New.sqlite"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == old)
        let new = try StoreVerifier(SQLiteStore(path: store.directory.file("New.sqlite")), model: store.model).verify()
        #expect(new.findings == [])
        options.output = nil
        options.backup = store.directory.file("old")
        _ = try StoreRepair(path: store.path, model: store.model, rules: [.danglingReference], options: options).run()
        #expect(try Data(contentsOf: URL(fileURLWithPath: store.directory.file("old/Recipes.sqlite"))) == old)
        #expect(try store.counts() == [:])
    }

    @Test func unusedFilesAreRemovedAndOthersStay() throws {
        let store = try SampleStore()
        let folder = store.files.externalDataDirectory
        let used = try FileSystem.names(in: folder)
        let others = ["notes.txt", "photo"]
        // Whatever the case of its letters, a UUID is one.
        let unused = ["0B7E0C0E-5B3D-4E0F-9C52-3B1F2A7C9D10", "1b7e0c0e-5b3d-4e0f-9c52-3b1f2a7c9d10"]
        for name in unused + others { try Data([1]).write(to: URL(fileURLWithPath: folder + "/" + name)) }
        let report = try StoreRepair(path: store.path, model: store.model, rules: [.externalFileUnused]).run()
        #expect(report.repairs.map(\.count) == [2])
        #expect(try FileSystem.names(in: folder) == (used + others).sorted())
        // What stays is still said, as `verify` says it.
        let left = try store.report().findings
        #expect(left.map(\.code) == ["external-data-unused"])
        #expect(report.remaining == left)
        #expect(left.map(\.examples) == [others])
        #expect(report.notes.count == 1)
        #expect(report.notes.first?.hasPrefix("2 unused files stay") == true)
        // Once more there is nothing to do.
        let again = try StoreRepair(path: store.path, model: store.model, rules: [.externalFileUnused]).run()
        #expect(again.repairs.isEmpty && again.remaining == left)
    }

    @Test func triggersOfOthersDoNotRun() throws {
        let store = try SampleStore()
        try store.execute(
            """
            CREATE TRIGGER bad AFTER UPDATE ON ZRECIPE BEGIN DELETE FROM ZCHEF; END;
            UPDATE ZRECIPE SET ZTYPE = 99 WHERE Z_PK = 1;
            """)
        let chefs = try Connection(path: store.path, access: .readOnly).value("SELECT count(*) FROM ZCHEF")
        _ = try StoreRepair(path: store.path, model: store.model, rules: [.danglingReference]).run()
        #expect(try Connection(path: store.path, access: .readOnly).value("SELECT count(*) FROM ZCHEF") == chefs)
    }
}
