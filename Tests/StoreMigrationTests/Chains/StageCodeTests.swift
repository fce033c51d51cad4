import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreMigration
import TestSupport
import Testing

/// Stages with closures of the caller, which get a copy of the store before the step and behind it.
@Suite struct StageCodeTests {
    private let store: TestStore
    private let catalog: VersionCatalog

    init() throws {
        store = try TestStore(
            from: [entity("Note", [attribute("text")])], to: [entity("Note", [attribute("text"), attribute("kind")])],
            rows: "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b');")
        let bundle = store.directory.file("App.xcdatamodeld")
        try GeneratedModels.write(
            [("old", store.source.model.model), ("new", store.destination.model.model)], to: bundle)
        catalog = try VersionCatalog(paths: [bundle])
    }

    private func plan(
        willMigrate: (@Sendable (SQLiteStore) throws -> Void)? = nil,
        didMigrate: (@Sendable (SQLiteStore) throws -> Void)? = nil
    ) throws -> ChainPlan {
        let stages = StagedMigration([
            .custom(from: "old", to: "new", label: "kinds", willMigrate: willMigrate, didMigrate: didMigrate)
        ])
        let chain = try stages.chain(
            from: catalog.versionedModel(catalog.version(named: "old")),
            to: catalog.versionedModel(catalog.version(named: "new")), in: catalog)
        return try ChainPlanner(
            store: SQLiteStore(path: store.path), chain: chain, options: .init(placement: .replace(backup: nil))
        ).plan()
    }

    private func migrate(_ plan: ChainPlan) throws -> ChainReport {
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
        return try MigrationManager().execute(plan, unchangedSince: fingerprint)
    }

    @Test func codeBeforeTheStepSeesTheOldColumnsAndCodeBehindItTheNewOnes() throws {
        let plan = try plan(
            willMigrate: { try $0.connection.execute("UPDATE ZNOTE SET ZTEXT = ZTEXT || '!' WHERE Z_PK = 2") },
            didMigrate: { try $0.connection.execute("UPDATE ZNOTE SET ZKIND = upper(ZTEXT)") })
        #expect(plan.description.contains("willMigrate of kinds"))
        #expect(plan.description.contains("didMigrate of kinds"))
        #expect(try store.rows("SELECT ZTEXT FROM ZNOTE") == ["a", "b"])
        _ = try migrate(plan)
        #expect(try store.rows("SELECT Z_PK, ZTEXT, ZKIND FROM ZNOTE ORDER BY 1") == ["1|a|A", "2|b!|B!"])
    }

    @Test(arguments: [true, false])
    func anErrorOfTheCodeIsThrownOnAndTheStoreIsAsItWas(before: Bool) throws {
        struct Refusal: Error {}
        let body: @Sendable (SQLiteStore) throws -> Void = { store in
            try store.connection.execute("DELETE FROM ZNOTE")
            throw Refusal()
        }
        let plan = try before ? plan(willMigrate: body) : plan(didMigrate: body)
        let state = try FolderState(of: store.directory.path)
        #expect(throws: Refusal.self) { _ = try migrate(plan) }
        #expect(try FolderState(of: store.directory.path).byteDifferences(from: state) == [])
    }

    @Test func codeThatChangesTheTablesThemselvesIsRefused() throws {
        let plan = try plan(willMigrate: {
            try $0.connection.execute("ALTER TABLE ZNOTE RENAME COLUMN ZTEXT TO ZTITLE")
        })
        let state = try FolderState(of: store.directory.path)
        let error = #expect(throws: MigrationError.self) { _ = try migrate(plan) }
        #expect(error?.description.contains("ZTEXT") == true)
        #expect(try FolderState(of: store.directory.path).byteDifferences(from: state) == [])
    }
}
