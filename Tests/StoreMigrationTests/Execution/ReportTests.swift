import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreMigration
import Testing

/// The report has the figures of the result, whatever the plan thought.
@Suite struct ReportTests {
    @Test(arguments: TestStore.placements)
    func writtenIsWhatIsThere(placement: MigrationPlacement) throws {
        let store = try TestStore(
            from: [
                entity("Being", abstract: true), entity("Cat", parent: "Being", [attribute("name")]),
                entity("Dog", parent: "Being", [attribute("name")]), entity("Note", [attribute("text")]),
            ],
            to: [
                entity("Animal", abstract: true, renamedFrom: "Being"),
                entity("Cat", parent: "Animal", [attribute("name")]),
                entity("Note", [attribute("text", optional: false, default: .string(""))]),
            ],
            rows: """
                INSERT INTO ZBEING (Z_PK, Z_ENT) VALUES (1, 2), (2, 2), (3, 3), (4, 99);
                INSERT INTO ZNOTE (Z_PK, Z_ENT) VALUES (1, 4), (2, 4), (3, 77);
                """)
        let fingerprint = StoreFingerprint(of: StoreFiles(store.path), isSettled: true)
        let plan = try store.plan(placement, isThorough: true)
        let report = try MigrationManager().execute(plan, unchangedSince: fingerprint)
        func figures(_ name: String) -> [Int64?] {
            report.entities.filter { ($0.destination ?? $0.source) == name }.flatMap {
                [$0.read, $0.written, $0.dropped]
            }
        }
        #expect(figures("Cat") == [2, 2, 0])
        #expect(figures("Dog") == [1, 0, 1])
        let notes = Int64(try store.rows("SELECT count(*) FROM ZNOTE")[0])
        #expect(figures("Note") == [3, notes, notes.map { 3 - $0 }])
        #expect(report.rowsWritten == 2 + (notes ?? 0))
    }

    /// What no row is read for is not counted for the report.
    @Test func whatIsIndependentOfRowsIsNotCounted() throws {
        let store = try TestStore(
            from: [entity("Note", [attribute("text")])],
            to: [entity("Note", [attribute("date", .date), attribute("text")])],
            rows: "INSERT INTO ZNOTE (Z_PK, Z_ENT) VALUES (1, 1)")
        let report = try store.migrate(.inPlace(backup: nil))
        #expect(report.entities.allSatisfy { $0.read == nil && $0.written == nil })
    }
}
