import GeneratedStores
import StoreMigration
import Testing

/// A renamed property beside a new one that has its former name: which one goes on is not certain.
@Suite struct SharedIdentifierTests {
    @Test func theMigrationIsRefused() throws {
        let store = try TestStore(
            from: [entity("A", [attribute("x")])],
            to: [entity("A", [attribute("x"), attribute("y", renamedFrom: "x")])],
            rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'v');")
        let plan = try store.plan()
        #expect(plan.isRefused)
        #expect(plan.findings.map(\.code) == ["shared-renaming-identifier"])
        #expect(plan.findings.map(\.cocoaCode) == [134190] && plan.findings.map(\.subject) == ["A.y"])
        #expect(throws: MigrationError.self) { try store.migrate() }
        #expect(try store.rows("SELECT ZX FROM ZA") == ["v"])
    }
}
