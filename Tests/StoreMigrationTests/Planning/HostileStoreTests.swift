import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreMigration
import Testing

/// Stores that would fill the memory if everything in them were read.
@Suite struct HostileStoreTests {
    static let notes = [entity("Note", [attribute("text")]), entity("Page", parent: "Note")]

    @Test func hugeMetadataAreRefusedUnread() throws {
        let store = try TestStore(
            from: Self.notes, to: Self.notes)
        try store.execute("UPDATE Z_METADATA SET Z_PLIST = zeroblob(70000000)")
        let error = #expect(throws: StoreError.self) { _ = try SQLiteStore(path: store.path) }
        #expect(error?.description.contains("70000036 bytes") ?? false)
    }

    @Test func moreEntitiesThanAnyModelHasAreRefused() throws {
        let store = try TestStore(from: Self.notes, to: Self.notes)
        try store.execute(
            """
            WITH n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
            INSERT INTO Z_PRIMARYKEY SELECT i, 'E' || i, 0, 0 FROM n
            """)
        let error = #expect(throws: StoreError.self) { _ = try SQLiteStore(path: store.path) }
        #expect(error?.description.contains("Z_PRIMARYKEY") ?? false)
    }

    /// Each row claims an entity of its own.
    @Test func rowsOfVeryManyEntitiesAreCountedByThoseThatThereAre() throws {
        let store = try TestStore(
            from: Self.notes, to: Self.notes + [entity("Tag")],
            rows: """
                WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
                INSERT INTO ZNOTE (Z_PK, Z_ENT) SELECT i, i FROM n
                """)
        let inspection = try StoreInspection(of: SQLiteStore(path: store.path), match: nil)
        #expect(inspection.entities.map(\.rows) == [1, 1])
        let plan = try store.plan(isThorough: true)
        #expect(plan.entities.compactMap(\.rows) == [1, 1])
        #expect(plan.findings.first { $0.code == "unknown-entity-number" }?.count == 99_998)
    }

    /// Where a table with several entities is read anyway, such rows are counted without being asked for.
    @Test func rowsOfNoEntityAreFoundWhereTheyWouldStayBehind() throws {
        let heirs = [entity("Special", parent: "Note")]
        let store = try TestStore(
            from: Self.notes + heirs,
            to: Self.notes.map { note in
                var note = note
                if note.superentityName == nil { note.superentityName = "Base" }
                return note
            } + heirs + [entity("Base")],
            rows: "INSERT INTO ZNOTE (Z_PK, Z_ENT) VALUES (1, 1), (2, 2), (3, 'x'), (4, NULL), (5, 99)")
        let plan = try store.plan(isThorough: false)
        #expect(plan.method == .newFile)
        #expect(plan.findings.first { $0.code == "unknown-entity-number" }?.count == 3)
    }

    /// Rows that would become objects, since the new version has their number, are removed and named; those of an
    /// entity that goes are not among them.
    @Test(arguments: TestStore.placements)
    func rowsOfNoEntityThatWouldBecomeObjectsAreNamed(placement: MigrationPlacement) throws {
        let store = try TestStore(
            from: [entity("Note", [attribute("text")]), entity("Old", parent: "Note")],
            to: [entity("Added"), entity("Extra"), entity("Note", [attribute("date", .date), attribute("text")])],
            rows: "INSERT INTO ZNOTE (Z_PK, Z_ENT) VALUES (1, 1), (2, 1), (3, 2), (4, NULL), (5, 7), (6, 3)")
        let report = try store.migrate(placement)
        #expect(report.findings.filter { $0.code == "unknown-entity-number" }.map(\.count) == [3])
        #expect(try store.rows("SELECT Z_PK FROM ZNOTE ORDER BY 1") == ["1", "2"])
    }
}
