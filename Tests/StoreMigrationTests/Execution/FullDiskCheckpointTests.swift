import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreMigration
import TestSupport
import Testing

/// A store that is changed in place through its log, on a file system that has no room to fold the log in.
@Suite(.enabled(if: MountedFolder.isPossible, "needs a small file system")) struct FullDiskCheckpointTests {
    @Test func aLogThatCannotBeFoldedInIsAFindingAndTheStoreIsWholeWithIt() throws {
        nonisolated(unsafe) let small = try MountedFolder(kilobytes: 16384)
        func version(_ name: String, _ type: AttributeType) throws -> VersionedModel {
            let entities = [entity("Note", [attribute("number", type), attribute("text")])]
            return VersionedModel(
                name: name, path: name, model: try ResolvedModel(ManagedObjectModel(entities: entities)))
        }
        let (old, new) = (try version("old", .integer32), try version("new", .double))
        let path = small.file("Store.sqlite")
        try TestStore.create(
            path, of: old,
            rows: """
                WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
                INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZTEXT) SELECT i, 1, 1, i, hex(zeroblob(200)) FROM n;
                """, usesLog: true)
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: path), isSettled: true)
        let plan = try MigrationPlanner(
            store: SQLiteStore(path: path), from: old, to: new, options: .init(placement: .inPlace(backup: nil))
        ).plan()
        #expect(!plan.lacksSpace)
        let manager = MigrationManager(
            options: MigrationOptions(onCheckpoint: { if $0 == "committed" { try? small.fill(leaving: 0) } }))
        let report = try manager.execute(plan, unchangedSince: fingerprint)
        let finding = try #require(report.findings.first { $0.code == "log-not-folded-in" })
        #expect(finding.severity == .warning)
        try FileSystem.remove(small.file("filler"))
        let store = try SQLiteStore(path: path)
        #expect(store.metadata.versionHashes == new.hashes)
        #expect(try store.connection.value("SELECT sum(ZNUMBER) FROM ZNOTE").real == 2_001_000)
        #expect(try store.connection.value("PRAGMA integrity_check").string == "ok")
    }
}
