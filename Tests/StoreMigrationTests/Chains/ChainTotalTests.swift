import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// What the report of a chain adds up.
@Suite struct ChainTotalTests {
    /// The first step writes rows, and the last one only adds a column.
    @Test func theTotalsAreThoseOfAllSteps() throws {
        let versions = [
            [entity("Note", [attribute("text")]), entity("Tag", [attribute("name")])],
            [entity("Note", [attribute("text")])],
            [entity("Note", [attribute("kind"), attribute("text")])],
        ]
        let store = try TestStore(
            from: versions[0], to: versions[2],
            rows: """
                INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b');
                INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'c');
                """)
        let bundle = store.directory.file("App.xcdatamodeld")
        try GeneratedModels.write(
            zip(["old", "middle", "new"], versions).map { ($0, ManagedObjectModel(entities: $1)) }, to: bundle)
        let catalog = try VersionCatalog(paths: [bundle])
        let chain = try StagedMigration([.lightweight(["old", "middle"]), .lightweight(["middle", "new"])]).chain(
            from: catalog.versionedModel(catalog.version(named: "old")),
            to: catalog.versionedModel(catalog.version(named: "new")), in: catalog)
        let plan = try ChainPlanner(
            store: SQLiteStore(path: store.path), chain: chain, options: .init(placement: .replace(backup: nil))
        ).plan()
        let report = try MigrationManager().execute(
            plan, unchangedSince: StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true))
        let steps = report.steps.compactMap(\.migration)
        #expect(steps.count == 2)
        #expect(steps.map(\.rowsWritten) == [2, 0])
        #expect(report.rowsRead == steps.reduce(0) { $0 + $1.rowsRead })
        #expect(report.rowsWritten == steps.reduce(0) { $0 + $1.rowsWritten })
        #expect(report.description.contains("Total: \(report.rowsRead) read, \(report.rowsWritten) written"))
    }
}
